"""The Pattern Catalog as a folder of files.

`catalog.py` is what callers use: `Catalog` reads the folder and writes the files that the journal
calls for. `check.py` lists what is wrong in a folder, and `commit.py` commits files with git.

`folder.py` reads the folder's texts by id. `index.py` writes `INDEX.md`, the list of all patterns.
`scan.py` finds secrets and hidden characters, which are never written.

A file that cannot be read is reported and never touched.
"""
