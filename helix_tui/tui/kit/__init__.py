"""Parts that any screen may use; none of them knows a screen, the app or a job.

Widgets: `virtual_list.py` draws what is seen of many rows, `row_list.py` is a list of plain rows,
`transcript_list.py` a list of events that unfold. `lines.py` draws lines in tones, `text_pane.py`
and `side_pane.py` text that scrolls, `frame.py` the lines around panes, `topbar.py`, `footer.py`,
`thread.py` (notes above a line that is typed), `prompt.py` (one line to type in) and `fields.py`
(to type in safely).
Words: `candidate_row.py` (a candidate as lists show it), `excerpt.py` (where it was seen),
`transcript_rows.py` and `edit_diff.py` (events), `session_text.py` (a session on one line),
`page_text.py` (Markdown), `moment.py` (times), `scrolling.py` (how long a view is).
"""
