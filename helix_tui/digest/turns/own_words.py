"""What a person's own words say by themselves, wherever they stand."""

from __future__ import annotations

import re

from helix_tui.digest.correction_words import is_correction, is_persistence, is_reaction
from helix_tui.digest.turns.words import (
    ACCEPTS,
    ADDS,
    BROKEN,
    DECLINES,
    DOUBTS,
    INSTEAD,
    NEGATES,
    NEGATION_REACH,
    SHOULD,
    STANDING,
    WHY,
    WISHES,
)
from helix_tui.text.common_words import COMMON
from helix_tui.text.request_words import ORDERS

_SHORT = 200
_BRIEF = 60
_FEW_WORDS = 3
# An answer that only names one of several choices.
_PICK = re.compile(
    r"(?:option |choice )?[a-z0-9]{1,2}[.):]?(?:(?:,| and| &|\s)\s{0,2}[a-z0-9]{1,2}){0,9}\W{0,3}"
)
# How a question ends, in any script.
ASKS = ("?", "？", "؟")


def traits_of_words(own: str) -> list[str]:
    """What a person's own words say by themselves."""
    small = own.lower().replace("’", "'")
    found = []
    if len(own) <= _BRIEF:
        found.append("brief")
    elif len(own) <= _SHORT:
        found.append("short")
    if len(own.split()) <= _FEW_WORDS and len(own) <= 24:
        found.append("answer")
    if _PICK.fullmatch(small):
        found.append("pick")
    if not _is_read(small):
        found.append("unread")
    tests = (
        ("plain", is_correction(own)),
        ("reaction", is_reaction(own)),
        ("persists", is_persistence(own)),
        ("accepts", ACCEPTS.match(small) is not None),
        ("negates", NEGATES.search(small, 0, NEGATION_REACH) is not None),
        ("instead", INSTEAD.search(small) is not None),
        ("should", SHOULD.search(small) is not None),
        ("declines", DECLINES.match(small) is not None),
        ("wishes", WISHES.match(small) is not None or _is_order(small)),
        ("doubts", DOUBTS.search(small) is not None),
        ("why", WHY.search(small) is not None),
        ("broken", BROKEN.search(small) is not None),
        ("standing", STANDING.search(small) is not None),
        ("adds", ADDS.match(small) is not None),
        ("asks", own.rstrip().endswith(ASKS)),
    )
    return [*found, *(name for name, holds in tests if holds)]


def _is_order(own: str) -> bool:
    """Whether a text begins with a verb that asks for work."""
    return own.partition(" ")[0].strip(",.:") in ORDERS


def _is_read(own: str) -> bool:
    """Whether a text is in English, of which the tables know most, and has a sentence's words."""
    words = own.split()
    known = sum(word.strip(".,;:!?()\"'") in COMMON for word in words)
    return known >= 2 and 5 * known >= len(words)
