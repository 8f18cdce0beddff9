"""Report final verdicts to the hub.

`decisions.py` derives decisions from the journal's lines; it is pure. `outward.py` turns ids into
the form that leaves the machine. `queue.py` records how far each decision got, and `sync.py` sends
what is queued in order. `hub.py` knows the address and the token.

Callers use `decisions_of`, `Queue`, `Hub` and `sync`. If the queue is lost, everything is sent
again under the same keys.
"""
