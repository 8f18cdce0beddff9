"""A team's store in PostgreSQL, and what this data folder knows of it (`helix-tui[team]`).

`migrations/` make the tables, functions and policies, `models.py` names them, `roles.py` says who
may do what. `database.py` opens the store, `membership.py` and `secret.py` know whose machine this
is. `outbox.py` remembers what the team has, `sending.py` sends rows, `records.py` reads one's own.
Nothing here is loaded by a machine that joined no team.
"""
