"""Did a pattern help? Counts of sessions before and after become a verdict; every module is pure.

`fisher.py` is the test, `intervals.py` how far rates and ratios may be off, `chance.py` how likely
the rate fell. `baseline.py` takes out of the rate before what selection put in. `looks.py` says
when the test is made and how many sessions it takes, `many.py` what many patterns do to it,
`cusum.py` when something came back, and `control.py` what became of sessions that did not see it.

`opportunity.py` says in which sessions something could have happened, `tally.py` what the sessions
of a case come to, and `next_step.py` what a person may do about a verdict.

`verdict.py` puts these together for one pattern; `warnings.py` and `sentence.py` put it in words.
Callers use `judge` and then, with all patterns, `settle`.
"""
