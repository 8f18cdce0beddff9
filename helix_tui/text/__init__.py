"""Text: how foreign text is made safe, how errors are told apart, how figures are shown.

Foreign text is anything from a log. `valid.py` makes it valid Unicode at ingest, `redact.py` and
`secrets/` take secrets out, `refuse.py` refuses what may not be written, `hidden.py` lists the
characters nobody sees, `safe.py` is the one path to a screen, `markdown.py` quotes it as code, and
`address.py` checks where a token may go. `signature/` says which recurring error a text is, with
`literal.py` and `lazy.py` for its patterns and `hashing.py` for fingerprints. For people there are
`human.py` (money, sizes, durations, counts, gauges, line breaks), `times.py` and `filter.py` (what
is typed to narrow a list). All of it is pure.
"""
