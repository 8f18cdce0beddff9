"""The context screen: what agents load in each repository, and which lines are not kept to.

`screen.py` asks for contexts and for what is distributed, `widget.py` draws the list, `rows.py`
words each one and its page, `plan_text.py` what a plan would write before it is carried out,
`messages.py` are the answers of jobs. The list, its filter and the page on the whole screen are
those of `base/list_screen.py`.
"""
