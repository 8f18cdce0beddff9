"""The one package that writes to a store: its database, its packs and its lists.

`layout.py` has the paths, `lock.py` the writer's lock, `database.py` opens SQLite, `shape.py` knows
what the schema must look like (`migrations/` create it, `models.py` has it as peewee models),
`sql.py` helps with statements of many values. `facts.py` keeps facts about the store by name,
`user_lists.py` what a person wants forgotten or pinned, outside the database. `forget_session.py`
drops a session, `durability.py` has transactions that are on disk when they end, and gives disk
space back.

`ingest/` commits what was read, `packs/` holds events' bodies, `digests/` folds and search texts,
`detection/` signals and candidates, `read/` has queries for lists and figures, `repair/` the checks
and the rebuilding of a damaged store. Callers import from the module that has what they need and
get plain data of `helix_tui.schema`; outside this package nobody writes SQL.
"""
