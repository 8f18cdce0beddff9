"""The effect screen: did it help?

`rows.py` has the line of each pattern, `widget.py` draws the list, `plot.py` the rate by week (the
only plotext), `page_text.py` all that a verdict rests on, `screen.py` the keys.
"""
