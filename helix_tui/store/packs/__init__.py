"""Bodies of events: packs of compressed frames, a file for each session.

`packs.py` writes and reads them, `frames.py` encodes frames, `zstd.py` compresses for any thread,
`transcript.py` reads a session's events in order. `eviction.py` drops raw bytes, `evicted.py`
remembers which, `space.py` measures them as `du` does. `seal.py` tells whether packs and database
belong together, `settle.py` makes them agree after a crash, `unowned.py` finds bytes that no row
owns, `aside.py` sets them aside and `takeover.py` takes them over. No pack is written, cut or
removed unless it is the one its row describes.
"""
