"""The review screen: what recurs, why it is believed, and the keys that decide.

`screen.py` has the four panes (`ingest_pane.py`, `budget_pane.py`, `candidate_list.py`,
`evidence_pane.py`), `list_keys.py` what keys do to the list, `list_state.py` what is shown, marked
and just decided, `candidate_filter.py` filter and orders, `columns.py` the widths of columns,
`text.py` what panes say. `watching.py` notices what others decide, `merging.py` words merges,
`messages.py` are the answers of jobs. The keys that decide are in `base/verdict_keys.py`.
"""
