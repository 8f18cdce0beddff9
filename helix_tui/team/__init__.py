"""A team's store in PostgreSQL, and what this data folder knows of it (`helix-tui[team]`).

`migrations/` make the tables and policies, `sql/` has the functions, `models.py` names the columns,
`roles.py` says who may do what. `database.py` opens the store with `driver.py`, `membership.py` and
`secret.py` know whose machine this is. `outbox.py` remembers what the team has; `carrier.py` sends
rows and `asking.py` asks, both in PostgreSQL or through a hub (`carrier_https.py`). `records.py`
reads one's own. `detection.py` has the rows as grouping asks for them, with `session_rows.py` and
`candidate_rows.py`. Nothing here is loaded by a machine that joined no team.
"""
