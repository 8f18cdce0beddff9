"""What memory gives back: to a person who asks, and to agents.

`remembered.py` reads entries and articles, `fitting.py` says what fits some words, `stale.py` what
speaks of files that are gone, `instructing.py` what reads like an instruction to an agent,
`page.py` makes one bounded page of it all. `prepared.py` keeps a small file for each repository,
which the hook at the start of a session reads; `handed.py` the book of what agents were handed;
`sources.py` tells which lines of an entry have a source.
"""
