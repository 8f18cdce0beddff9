"""Check the store and everything around it, and repair a damaged store.

`doctor.py` checks store, sources and machine, and calls `doctor_review.py` for verdicts, catalog
and hub; neither changes anything. `repair.py` rebuilds a damaged store, and starts over if it was
interrupted. Callers use `run_checks` and `run_repair`.
"""
