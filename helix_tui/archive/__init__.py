"""Logs that lie in object storage or on a network drive, read by one machine or many.

`places.py` lists an archive through fsspec and finds the agents' folders in it; `unit.py` turns one
unit into batches, wherever it runs: it fetches the unit's files, reads them as a sweep does, and
leaves nothing behind. `engines.py` has units read by processes of this machine, `dask_engine.py` by
a Dask cluster. One writer stores what comes back, in `engine/sweep/archive.py`.
"""
