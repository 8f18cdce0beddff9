"""One sweep, from the lock to what follows its report.

`sweep.py` runs the stages in order: `discovery.py` finds what changed, `analysis.py` folds again
what could not be folded while reading, and `retention.py` keeps the budget.

`after_sweep.py` settles the catalog and sends decisions after the report; `settled_marker.py`
records whether there is anything to do for it. `process.py` runs a sweep as a child process of the
workstation. Callers use `run_sweep`, `after_sweep` and `command_for`.
"""
