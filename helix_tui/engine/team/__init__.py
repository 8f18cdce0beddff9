"""A team: joining, pushing what is allowed to leave, taking back, and looking how it stands.

`setup.py` makes a team's store and its members, `joining.py` enrols this data folder. `rows.py`
makes of a session what leaves of it, `masking.py` takes out what must not, `pushing.py` sends it.
`forgetting.py` takes back, `standing.py` says how things stand. Nothing here is loaded before
somebody asks for a team.
"""
