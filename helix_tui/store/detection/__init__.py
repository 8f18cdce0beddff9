"""What detection keeps: signals, eligible sessions, candidates.

`signals.py` has signals by bucket, `eligible.py` sessions as detection counts them,
`candidates.py` what was grouped, `grouping_state.py` whether all is, `agreement.py` whether it
can be read.
"""
