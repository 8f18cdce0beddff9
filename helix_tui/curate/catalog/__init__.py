"""The Pattern Catalog as a folder of files.

`folder.py` reads it, `catalog.py` makes it what it should be, `index.py` writes the list of all
patterns, `check.py` says what is wrong in it, `scan.py` refuses secrets, `commit.py` commits by
git. A file that cannot be read is told and never touched.
"""
