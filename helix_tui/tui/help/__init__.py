"""Help: every key with what it does, made of the registry.

`screen.py` lays out one page: the keys of the screen below first, then those of all screens, then
the rest, with how the list of candidates is ranked and how keys are remapped. Nothing is read
for it: `actions.py` has it all.
"""
