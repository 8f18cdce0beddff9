"""Checks of a store, and what a repair is made of.

`checks.py` looks and changes nothing, `salvage.py` reads what a damaged database still tells,
`rebuild.py` makes a new store beside it, `upkeep.py` removes what a crash or a wish leaves.
"""
