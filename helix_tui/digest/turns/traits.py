"""The names of what can be said of a turn; a turn keeps them as bits of one number."""

from __future__ import annotations

from collections.abc import Iterable

# Their order is part of the folds' format and only ever grows.
TRAITS = (
    *("first", "idle", "interrupted", "refused", "edited", "worked"),
    *("claim", "question", "menu", "plan", "reply"),
    *("pasted", "failure", "task", "long", "brief", "short", "answer", "pick", "unread"),
    *("plain", "reaction", "persists", "accepts", "negates", "instead", "should", "declines"),
    *("wishes", "doubts", "why", "broken", "standing", "adds", "asks"),
    *("names", "shares", "about", "retyped"),
    *("concedes", "admits", "reworks", "edits", "reruns", "redoes", "reverts"),
    *("elsewhere", "open", "tried", "excused"),
)
BITS = {name: 1 << place for place, name in enumerate(TRAITS)}


def bits_of(names: Iterable[str]) -> int:
    """Traits as a number."""
    bits = 0
    for name in names:
        bits |= BITS[name]
    return bits


def names_of(bits: int) -> list[str]:
    """Traits by name, in the order of the table."""
    return [name for name, bit in BITS.items() if bits & bit]
