"""The last verdicts, each of which can be taken back.

`screen.py` has the list and takes verdicts back, `rows.py` words them and what taking one back
would restore, `messages.py` are the answers of jobs. How a verdict is taken back is in
`base/verdicts_and_undo.py`.
"""
