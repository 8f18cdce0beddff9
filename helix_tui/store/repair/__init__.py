"""Checks of a store, and the parts of a repair.

`checks.py` are the read-only checks of `helix doctor`, `salvage.py` reads what can still be read of
a damaged database, `rebuild.py` makes a new store from that and from the packs, beside the damaged
files.
"""
