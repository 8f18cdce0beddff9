"""Files that outlive crashes, used by store, curate and memory alike.

`durable.py` writes them whole or not at all, `ledger.py` is one of checksummed lines that is only
added to, `numbers.py` a small one of numbers by name, `regular.py` opens files of others without
waiting, `set_aside.py` keeps what cannot be read under another name. Nothing here knows what the
files are about.
"""
