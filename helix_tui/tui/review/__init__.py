"""The review screen: what recurs, why it is believed, and the keys that decide.

`screen.py` has the four panes (`ingest_pane.py`, `budget_pane.py`, `candidates_pane.py`,
`evidence_pane.py`), `triage.py` the list in use, `candidate_table.py` what is shown, marked and
just decided, `rows.py` and `text.py` what is said of plain data. `verdict_keys.py` has the keys,
`deciding.py` sends verdicts to the journal in order and remembers what `u` undoes, `watching.py`
notices what others decide, `discussing.py`, `merging.py` and `thread.py` are about notes and
merges.
"""
