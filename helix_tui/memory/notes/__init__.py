"""Notes about sessions that run, brought up to date while they grow.

`rule.py` decides when notes are written, from what `watch.py` and `context.py` count;
`sections.py` and `worklog.py` write their content from the digest, with `text.py` for quotations;
`page.py` is the file as text, in which a person's changes stay; `file.py` reads, locks and writes
it. The engine's notes job puts these together.
"""
