"""What sessions taught, kept while it is fresh: daily logs, knowledge, notes of live sessions.

`hooks/` puts commands into the agents' settings that report events to a spool; `flush/` writes
what is new of a session to a daily log; `distill/` decides what of it is worth keeping, with a
program of the user's or without a model; `knowledge/` compiles daily logs into articles; `notes/`
keeps a file about every session that runs. `overview.py` lists all of it, `save_edit.py` saves a
person's edits of a page, `forget.py` removes what forgotten sessions left, `places.py` has the
paths.

Callers are the engine's memory jobs; nothing here reads the agents' logs.
"""
