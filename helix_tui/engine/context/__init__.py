"""What agents are told already, on this machine.

`effective.py` reads the instruction files of a folder, `verify.py` asks an installed agent whether
that is what it loads.
"""
