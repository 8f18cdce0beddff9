"""Memory for commands, sweeps and hooks.

`remembering.py` has `Remembering`, what `Engine` offers of memory. `flushing.py` has `Memory`,
which flushes sessions into daily logs and compiles these into the knowledge base; `pieces.py`
gathers what is new of a session for it. `notes.py` has `Notes`, which keeps the notes of running
sessions current. `hooks.py` installs, removes and checks the hooks in agents' settings.
"""
