"""The session list: filter, search what was said, open one, resume it in its agent.

`screen.py` has the keys, the filter and the search, `widget.py` draws the list, its headings and
the details, `rows.py` words them and parses filters, `resume.py` makes the command that goes on
with one, `messages.py` are the answers of jobs. The list itself is that of `base/list_screen.py`.
"""
