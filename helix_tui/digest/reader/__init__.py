"""A person's turn as a model reads it: what is asked, how the answer becomes a label.

`question.py` makes the question of a turn and its neighbours, `answer.py` the label of an answer,
`labelled.py` puts labels in the place of the rules' own. All of it is pure; `engine/reader` asks.
"""
