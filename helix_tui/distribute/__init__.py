"""Get what was approved into the files that agents load, and out again.

`words.py` makes the rule of a pattern, `scope.py` says where it belongs. `wanted.py` says which
file should have which text; `blocks.py` finds and edits the one block of a file, `threeway.py`
compares what was written, what is wanted and what stands there, and `plan.py` makes one plan of it
all. `undo.py` plans to take a batch back; `ledger.py` folds the lines of what was written,
`standing.py` says what of it stands. Nothing here touches a disk.
"""
