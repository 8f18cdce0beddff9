"""The memory screen: daily logs, knowledge, notes, what waits and what failed.

`screen.py` shows the list over a page, of all sessions or of one; `keys.py` flushes, compiles and
edits; `widget.py` draws the list, `rows.py` words rows and pages, `messages.py` are the answers of
jobs. The list, its filter and the page on the whole screen are those of `base/list_screen.py`.
"""
