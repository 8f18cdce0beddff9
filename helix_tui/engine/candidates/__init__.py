"""What recurs: grouped behind a sweep, then ranked and traced.

`grouping.py` asks whether something changed, `regroup.py` groups it, `ranking.py` ranks and
filters what is stored, `candidates.py` is what commands and screens ask.
"""
