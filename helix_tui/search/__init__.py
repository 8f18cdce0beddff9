"""Parse searches and show where sessions match them; every module is pure.

`query.py` parses what somebody typed: words, "phrases", -exclusions and beginnings*. `snippet.py`
finds the terms in a session's texts and cuts out the best places. The index itself is in
`helix_tui.store.digests.search_index`. Callers use `parse_query` and `find_in`.
"""
