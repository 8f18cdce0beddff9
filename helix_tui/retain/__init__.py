"""Keep raw bytes within their budget.

`plan.py` decides which sessions are evicted, and why: by age, above the soft cap, above the hard
cap. It is pure, and has `GROWING_MS`, the time for which a session counts as running. `apply.py`
carries a plan out, a few sessions to a transaction. Callers use `plan` and `apply`.
"""
