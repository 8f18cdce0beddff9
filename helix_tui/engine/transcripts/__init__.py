"""Read sessions and their transcripts.

`sessions.py` has `Sessions`, what `Engine` answers of sessions. `transcript.py` has `Reading`,
which reads any stretch of a transcript by number, however long it is; `Engine.open_transcript`
opens it. `recall.py` reads evicted events again from the agents' own logs, as long as those exist,
wherever all events are needed.
"""
