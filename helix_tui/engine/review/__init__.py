"""Verdicts: given, taken back, and shown beforehand.

`verdicts.py` is where they are given, with the steps of `verdict_steps.py`; `transaction.py` holds
the journal for one or several of them and settles the catalog to it, `journal_state.py` keeps what
it knows of the journal for the next one, `seen.py` refuses one whose author saw something else.
`reviewed_candidates.py` says how candidates stand, `approval_preview.py` what approving one would
write, `promotion.py` makes that page, `auto_approve.py` those of all that clear the bar,
`rewording.py` and `page_check.py` take the words of a program or a person, `external_editor.py`
lends a page to $EDITOR, `undo_preview.py` tells what an undo restores, `undo_edits.py` merges pages
that a person edited since.
"""
