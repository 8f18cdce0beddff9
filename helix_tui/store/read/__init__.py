"""Queries for lists and figures; each returns plain data and leaves no transaction open.

`sessions.py` lists and counts sessions, `active.py` finds those with recent events (apart, since
the models that the others import take long to load), `spend.py` keeps sums of usage by session,
day, model and price step, `costs.py` applies prices to them. Screens and commands call these
through the engine.
"""
