"""Read transcripts.

`transcript.py` has `Reading`, which reads any stretch of a transcript by number, however long it
is. `recall.py` reads evicted events again from the agents' own logs, as long as those exist.
`Engine.open_transcript` opens a `Reading`; `recall` is used wherever all events are needed.
"""
