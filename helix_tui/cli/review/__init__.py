"""`helix curate`: the review in a plain terminal, one key a candidate.

`loop.py` goes from one candidate to the next, `preview.py` lays one out, `keys.py` reads single
keys from a terminal or a script, `screen.py` is where previews are shown, `tally.py` counts what
was decided, `editor.py` opens a page in $EDITOR, `confirm_log_words.py` shows words of a log and
asks. Callers use `ReviewLoop`, `open_keys`, `screen_for`, `Tally` and `looked_at`.
"""
