"""Turn signals into ranked candidates; every module is pure.

`quality.py` decides which sessions count. `keys.py` says which signals may meet in a candidate and
names candidates; `group.py` groups them, with `slow.py` for slow commands, `requests.py` for what
people use again in the same form, `spoken.py` for what they say in words (`utterances.py`,
`demands.py`, `corrected.py`, `said_titles.py`), and `titles.py` for titles.

`rank.py` scores candidates and orders them, and `states.py` says how each develops over time.
`combine.py` merges candidates that a person declared the same, and `suggest.py` lists those that
look alike. Callers use `group`, `rank`, `combine`, `suggestions` and `count_sessions`.
"""
