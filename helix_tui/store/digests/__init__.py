"""What stays of a session when its raw bytes go.

`folds.py` keeps the states of digests by part, `texts.py` what can be searched,
`search_index.py` the index over it.
"""
