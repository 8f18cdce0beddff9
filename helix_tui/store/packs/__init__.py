"""Bodies of events: packs of compressed frames, a file for each session.

`packs.py` writes and reads them, `frames.py` encodes, `zstd.py` compresses for any thread,
`transcript.py` reads a session in order. `eviction.py` and `evicted.py` drop raw bytes and
remember which, `space.py` counts them as `du` does. `seal.py` tells whether packs and database are
of one time, `unowned.py` finds what no row owns, `aside.py` puts it aside, `takeover.py` takes it
over. No pack is written, cut or removed that is not the one its row speaks of.
"""
