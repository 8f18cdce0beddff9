"""Memory for commands, sweeps and hooks.

`remembering.py` has `Remembering`, what `Engine` offers of memory. `flushing.py` has `Memory`,
which flushes sessions into daily logs and compiles these into the knowledge base; `pieces.py`
gathers what is new of a session for it. `notes.py` has `Notes`, which keeps the notes of running
sessions current. `hooks.py` installs and removes the hooks in agents' settings, `hook_status.py`
checks them, and both know an agent's hook by `hook_of_agent.py`.
"""
