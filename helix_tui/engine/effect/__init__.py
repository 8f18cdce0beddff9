"""Did it help? What was taught is held against what happened afterwards.

`sessions.py` lays out conversations so that many patterns can be counted over them, `exposed.py`
says which of them saw a rule, `cases.py` makes of a pattern what is judged, and `effects.py`
is what commands and screens ask. `rule_history.py` finds out when a person wrote a line.
"""
