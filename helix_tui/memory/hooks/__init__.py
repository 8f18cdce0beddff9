"""Hooks in the agents' own settings, and the spool that they report to.

`agents.py` has each agent's file and events, `command.py` the command that is run, `entries.py`
finds, adds and removes entries in the text of a settings file (`surgery.py` edits JSON without
reformatting it), `install.py` writes the file and its backup. `switches.py` finds settings that
switch hooks off, `probe.py` runs an installed command to see whether it works, `spool.py` holds the
reported events until a sweep has used them. The command itself is `helix_tui/hook.py`.
"""
