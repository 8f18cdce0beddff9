"""Write a candidate up as a page, without a language model.

`draft.py` drafts the page: `wording.py` words it with the texts of `advice.py` (`advised/`),
`log_words.py` notes which of its words come from a log, and `names.py` decides which of these may
stand in a sentence.

`ways.py` judges what overcame an error: `allowed.py` lists what may be recommended
(`allowed_lists/`), `weakens.py` recognises what gives up a safeguard and is never proposed.

`gate.py` compares a candidate with the floors, `lookalikes.py` finds patterns that say the same,
and `promote.py` works out the pattern that an approval makes. `reword_by_program.py` lets a program
reword a draft; it is the only module that is not pure.
"""
