"""Distribution with its effects: repositories, files of agents, the ledger, git.

`distribution.py` is the way in: plan, apply, retract, undo. `planning.py` works a plan out:
`teachings.py` takes patterns from the catalog, `target_files.py` finds folders and the files that
agents see there. `files.py` looks at files and writes them, `ledger.py` keeps the ledger, `git.py`
reads heads and commits where somebody asks for it.
"""
