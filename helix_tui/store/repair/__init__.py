"""Checks of a store, and the parts of a repair.

`checks.py` are the read-only checks of `helix doctor`, `salvage.py` reads what can still be read of
a damaged database, `rebuild.py` makes a new store from that and from the packs, beside the damaged
files. `upkeep.py` settles packs after a crash, forgets sessions and gives disk space back; it is
used by every sweep, not only by a repair.
"""
