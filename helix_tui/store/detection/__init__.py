"""What detection stores: signals, eligible sessions, candidates.

`signals.py` has signals by session and bucket, and marks what changed since the last grouping;
`eligible.py` has sessions as detection counts them, `candidates.py` what grouping made of them,
`grouping_state.py` whether everything is grouped, `agreement.py` checks that all of it can be read
and belongs to sessions that exist.
"""
