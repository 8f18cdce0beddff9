"""One sweep, from the lock to what follows its report.

`sweep.py` is the order of things, `discovery.py` finds what changed, `analysis.py` folds again
what could not be folded on the way in, `retention.py` keeps the budget, `after_sweep.py` settles
and sends behind the report, `settled_marker.py` tells whether there is anything to do there,
`process.py` is a sweep as a child process of the workstation.
"""
