"""How what was read gets into the store.

`plan.py` decides what one commit holds and changes nothing, `session_state.py` is a session
meanwhile, `usage.py` counts each message once; `writer.py` commits: packs synced, then rows.
`cursors.py`, `problems.py` and `sweeps.py` go along.
"""
