"""A session's transcript: every event, read where it is looked at.

`screen.py`, `widget.py` (the list), `rows.py` (what is shown of an event), `edits.py` (diffs).
"""
