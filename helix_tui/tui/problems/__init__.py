"""The problems screen: what could not be read, and what failed since Helix was opened.

`screen.py` asks for problems and notices new failures, `widget.py` draws the list, `rows.py` words
each problem, `messages.py` are the answers of jobs. The list, its filter and the page on the whole
screen are those of `base/list_screen.py`.
"""
