"""What the steps over one part's events write to."""

from __future__ import annotations

from helix_tui.digest.state import PartFold
from helix_tui.digest.tables import cut
from helix_tui.digest.texts import Texts
from helix_tui.digest.turns.deaf import Deaf
from helix_tui.digest.turns.listen import Listener

# How much is kept of an action that follows something, or of a message that ends a turn.
AFTER_LENGTH = 200


class Folding:
    """The fold of one part while events are stepped over."""

    __slots__ = ("facts", "flavor", "has_turns", "listener", "memory", "texts")

    def __init__(self, flavor: str, fold: PartFold, *, has_turns: bool) -> None:
        self.flavor = flavor
        self.facts = fold.facts
        self.memory = fold.memory
        self.texts = Texts(fold.memory.searched)
        self.has_turns = has_turns
        self.listener = (Listener if has_turns else Deaf)(fold.facts, fold.memory)


def follow(part: Folding, action: str) -> None:
    """Writes an action behind what still waits for what came next."""
    words = part.memory.unfollowed_words
    if words >= 0:
        after = part.facts.corrections[words].after
        after.append(cut(action, AFTER_LENGTH))
        if len(after) == 2:
            part.memory.unfollowed_words = -1
    waiting = part.memory.unfollowed
    if waiting:
        for index in waiting:
            part.facts.errors[index].after.append(cut(action, AFTER_LENGTH))
        part.memory.unfollowed = [
            index for index in waiting if len(part.facts.errors[index].after) < 2
        ]
