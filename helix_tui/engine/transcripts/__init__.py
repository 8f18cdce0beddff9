"""Transcripts, read where somebody looks.

`reading.py` reads any stretch of one, `recall.py` evicted events from the agents' own logs.
"""
