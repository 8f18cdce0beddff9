"""Notes about sessions that run, brought up to date while they grow.

`rule.py` decides when notes are written, from what `watch.py` and `context.py` count;
`sections.py` and `worklog.py` write their content from the digest, with `text.py` for quotations;
`model_notes.py` adds what a model says, where one is set; `page.py` is the file as text, in which a
person's changes stay; `file.py` reads, locks and writes it. The engine's notes job puts these
together.
"""
