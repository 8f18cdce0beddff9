"""Distillers: a piece of a session in, what is worth keeping out.

`distill.py` chooses the distiller of the settings and runs a program of the user's with retries.
`extract.py` is the one that needs no model: `headline.py` tells the gist of prompts and answers,
`learned.py` what was learned and decided, with the wordings of `cues.py`, the Markdown parser of
`prose.py` and the quoting of `quoting.py`. A program gets the text of `request.py`; its answer has
to pass `answer.py`. A model gets the numbered lines of `material.py`; its answer is read by
`model_answer.py`, and `standing.py` finds the line of the session that each line of it stands on.
"""
