"""Whether all is well, and mending what is not.

`doctor.py` looks at store, sources and machine, `doctor_review.py` at verdicts, catalog and hub;
both change nothing. `repair.py` rebuilds a damaged store and starts over when it was cut off.
"""
