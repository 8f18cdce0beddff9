"""How what capture read gets into the store.

`plan.py` decides what one transaction writes and changes nothing; `session_state.py` is a session's
row meanwhile, `usage.py` counts each provider message once. `writer.py` commits: packs are synced
first, then rows, cursors and usage in one transaction. `cursors.py` knows how far each part was
read, `problems.py` what could not be read, `sweeps.py` how each sweep went. A sweep uses
`StoreWriter`; the others are for queries and repair.
"""
