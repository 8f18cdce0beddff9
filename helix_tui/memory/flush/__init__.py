"""From a session to the daily log, each piece once.

`flush.py` is one flush, `flush_log.py` the ledger of each session, `entry.py` the Markdown of an
entry, `daily.py` the logs, `agenda.py` which sessions are due.
"""
