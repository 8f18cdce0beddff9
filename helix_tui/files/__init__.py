"""Files that outlive crashes, used by store, curate and memory alike.

`durable.py` writes a file whole or not at all, and turns errors of the disk into plain sentences;
`ledger.py` is an append-only file of checksummed lines, `numbers.py` a small file of numbers by
name; `private.py` reads a secret from a file that nobody else may read; `regular.py` opens files
of others without blocking on a pipe or a device; `set_aside.py` renames a file that cannot be read,
so that it is never overwritten.

Nothing here knows what the files are about. Every file that Helix keeps is written through here.
"""
