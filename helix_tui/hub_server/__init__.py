"""A hub of your own: a server that records the decisions of a team (`helix-tui[team]`).

`judge.py` decides whether a request is a decision; it is pure. `records.py` keeps decisions and
tokens in SQLite or PostgreSQL, the only peewee here. `taking.py` commits many requests at once,
`limits.py` keeps one machine from crowding out the others, `app.py` is the ASGI application, and
`figures.py` counts what it did for `/metrics`.
"""
