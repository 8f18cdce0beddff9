"""Guards: the rules file that the agents' second hook reads, whom it stopped, whom it should.

`rules_file.py` keeps the file as the catalog says, `firings.py` counts its answers, `proposal.py`
says which patterns a guard fits and how calls of their shape went. The script is
`helix_tui/guard.py`.
"""
