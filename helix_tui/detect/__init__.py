"""Turn signals into ranked candidates; every module is pure.

`quality.py` decides which sessions count. `keys.py` says which signals may meet in a candidate and
names candidates; `group.py` groups them, with `slow.py` for slow commands, `topics.py`
(`topics.toml`) for what corrections are about, and `titles.py` for titles.

`rank.py` scores candidates and orders them, and `states.py` says how each develops over time.
`combine.py` merges candidates that a person declared the same, and `suggest.py` lists those that
look alike. Callers use `group`, `rank`, `combine`, `suggestions` and `count_sessions`.
"""
