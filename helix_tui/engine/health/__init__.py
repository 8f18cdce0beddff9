"""Check the store and everything around it, repair a damaged store, keep one sound and small.

`doctor.py` checks store, sources and machine, and calls `doctor_review.py` for verdicts, catalog
and hub; neither changes anything. `repair.py` rebuilds a damaged store, and starts over if it was
interrupted. `upkeep.py` has `Upkeep`, through which `Engine` offers these, and the budget, pins and
forgetting as well.
"""
