"""The commands, a file each: parse, call the engine, print.

`registry.py` above gathers them when one is asked for. A file `<name>_json.py` says what scripts
see of a thing; `show_digest.py` and `detect_why.py` are the longer texts of `show` and `detect`.
A command holds no decision: what it does is a method of the engine.
"""
