"""The budget screen: what is kept by tier and agent, how it grew, and what goes next.

`screen.py` asks for the figures and pins sessions, `widget.py` draws gauges and list, `rows.py`
words the eviction plan, `messages.py` are the answers of jobs. The list itself is that of
`base/list_screen.py`.
"""
