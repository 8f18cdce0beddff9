"""From a session to the daily log, each piece once.

`flush.py` flushes one session: it gathers what is new, has it distilled and writes the entry.
`flush_log.py` is the ledger of a session's flushes, `entry.py` the Markdown of an entry, `daily.py`
the daily logs, `agenda.py` which sessions are due and when. The engine calls `Flusher.flush` and
keeps the `Agenda`.
"""
