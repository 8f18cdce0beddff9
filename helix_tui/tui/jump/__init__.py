"""Jump mode: every widget that can have the keys gets a letter, which goes there.

`screen.py` lies over the screen below and closes with the widget that was chosen. It is the one
screen that is no `HelixScreen`: it has keys of its own, which are the letters, and no scope in the
registry.
"""
