"""The editor: the pattern that approving a candidate would write.

`screen.py` loads the page, checks what is typed and approves it, also by the reviewer's own editor;
`form.py` has the fields, `beside.py` words what stands beside them: gate, mistakes, lookalikes and
the preview; `messages.py` are the answers of jobs.
"""
