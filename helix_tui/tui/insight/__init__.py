"""The insight screen: where the work and the waste went, each figure with its sessions.

`screen.py` has the keys, `rows.py` what its lines say, `widget.py` the plot and the list.
"""
