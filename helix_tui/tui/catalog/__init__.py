"""The catalog screen: patterns over the page of one, its versions, and what each changed.

`screen.py` has the keys and asks for patterns and versions, `widget.py` draws the list, `rows.py`
words rows, `page_text.py` pages and diffs, `messages.py` are the answers of jobs. The list, its
filter and the page on the whole screen are those of `base/list_screen.py`.
"""
