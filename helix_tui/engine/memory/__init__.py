"""Memory as commands, sweeps and hooks drive it.

`flushing.py` flushes and compiles, `pieces.py` is what is new of a session for that, `notes.py`
keeps the notes of running sessions current, `hooks.py` puts hooks into agents' settings.
"""
