"""What the hub is told of verdicts, and how it gets there.

`decisions.py` is a pure function of the journal's lines, with ids as `outward.py` has them;
`queue.py` remembers how far each got, `sync.py` sends in order, `hub.py` knows address and token,
`exchange.py` is one request. Losing the queue sends everything again under the same keys.
"""
