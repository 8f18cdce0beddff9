"""Distillers: a piece of a session in, what is worth keeping out.

`distill.py` chooses one; `extract.py` with `cues.py` and `prose.py` needs no model; a program gets
`request.py`, is held to `answer.py` and to a day's `spending.py`.
"""
