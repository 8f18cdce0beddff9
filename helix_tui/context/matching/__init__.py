"""Whether a line of instructions already says what recurs.

`units.py` parts a file into sentences, list items and lines of code, `tokens.py` these into words
that keep flags, paths and names; `index.py` finds the units that say most of what is sought,
`nearness.py` those that say it in other words (`meaning.py` has the table of these), `asks.py`
whether a unit forbids a command or asks for it, `agree.py` and `agree_people.py`
whether it may be of another matter, by the words of `cues.py`.
"""
