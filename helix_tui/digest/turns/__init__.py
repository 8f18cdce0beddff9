"""Turns of a person: what was said, where it stands, what it rejects, and what came after.

`heard.py` finds a person's words in an event, `written.py` tells them from what was pasted,
`own_words.py` says what they hold by themselves, `listen.py` keeps what stands before and after,
and `judge.py` decides what a turn is.
"""
