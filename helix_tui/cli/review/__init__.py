"""`helix curate`: the review in a plain terminal, one key a candidate.

`loop.py` goes from one candidate to the next, `card.py` lays one out, `keys.py` reads single keys
from a terminal or a script, `screen.py` is where cards are shown, `tally.py` counts what was
decided, `editor.py` lends a page to $EDITOR, `looking.py` shows words of a log and asks.
"""
