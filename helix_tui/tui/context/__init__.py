"""The context screen: what agents load in each repository, and which lines are not kept to.

`screen.py` asks for contexts, `widget.py` draws the list, `rows.py` words each one and its page,
`messages.py` are the answers of jobs. The list, its filter and the page on the whole screen are
those of `base/list_screen.py`.
"""
