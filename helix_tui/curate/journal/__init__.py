"""The journal of verdicts, and what follows from it.

`journal.py` is the file; `standings.py` folds its lines into how candidates stand, with `links.py`
(merged, renamed) and `snooze.py`; `projection.py` into the files of the catalog. `forgetting.py`
takes a session's words out of lines. Lines are only ever added.
"""
