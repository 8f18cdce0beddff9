"""The transcript of a session: every event folded to a line, and what is remembered of it.

`screen.py` goes from error to error and to the session's memory. How events are opened, read and
unfolded is shared with the evidence screen: `base/transcript_view.py`, `kit/transcript_list.py`,
`kit/transcript_rows.py` and `kit/edit_diff.py`.
"""
