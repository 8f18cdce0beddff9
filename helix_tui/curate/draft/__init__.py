"""From a candidate to the words of a page, without any model.

`draft.py` writes a candidate up by `advice.py` (what Helix itself says: `advised/`), `wording.py`
and `names.py`. `ways.py` judges what overcame an error: `allowed.py` has what may be recommended
(`allowed_lists/`), `weakens.py` what gives up a safeguard and is never proposed. `gate.py` compares
with the floors, `lookalikes.py` finds patterns that say the same, `promote.py` says what approving
makes of a pattern, `drafter.py` lets a program word it. All but the last are pure.
"""
