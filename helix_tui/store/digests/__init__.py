"""What remains of a session when its raw bytes are evicted.

`folds.py` stores the states of folds by session and part, and knows which sessions are still to be
analyzed; `texts.py` encodes the texts that can be searched, `search_index.py` stores them and keeps
the full-text index over them. Callers add and drop texts and query through `search_index.py`.
"""
