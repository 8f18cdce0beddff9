"""Parts that any screen may use; none of them knows a screen.

`virtual_list.py` draws what is seen of many rows, `lines.py` lines in tones, `text_pane.py` and
`side_pane.py` text that scrolls, `frame.py` the lines around panes, `topbar.py`, `footer.py`,
`prompt.py` (one line to type in), `fields.py` (to type in safely), `filter.py`.
"""
