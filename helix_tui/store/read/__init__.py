"""Reads for lists and figures; each returns plain data and holds no transaction.

`sessions.py` lists sessions, `active.py` those that run, `spend.py` keeps sums of usage,
`costs.py` lays prices over them.
"""
