"""How near each line of instructions comes to what is sought, in other words than its own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from helix_tui.context.matching.meaning import Spellings, groups_in, groups_of
from helix_tui.context.matching.tokens import is_common, parts_of, tokens_of
from helix_tui.context.matching.wanted import Sought

# What a word counts as that means the same, is spelt alike, or stands in the heading.
_MEANT, _SPELT, _ABOVE = 0.6, 0.5, 0.4
_COMMON, _PHRASE, _BESIDES = 0.3, 0.5, 0.6


class Meaning:
    """The meanings of the words of units, ready to be searched."""

    def __init__(self, units: Sequence[tuple[str, str]]) -> None:
        self._count = len(units)
        self._groups: dict[str, set[int]] = {}
        self._words: dict[str, set[int]] = {}
        self._above: dict[str, set[int]] = {}
        above: dict[str, list[str]] = {}
        for number, (text, within) in enumerate(units):
            tokens = tokens_of(text)
            for group in groups_in(tokens):
                self._groups.setdefault(group, set()).add(number)
            for token in _words(tokens):
                self._words.setdefault(token, set()).add(number)
            if within not in above:
                above[within] = tokens_of(within)
            for token in above[within]:
                self._above.setdefault(token, set()).add(number)
        self._spellings = Spellings(self._words)

    def nearness(self, sought: Sought) -> dict[int, float]:
        """By unit: what it says of what is sought, beyond its very words."""
        near: dict[int, float] = {}
        for token, weight in sought.weights.items():
            worth = _COMMON if is_common(token) else weight
            self._add(near, self._like(token), worth)
        for token in sought.besides:
            exact = dict.fromkeys(self._words.get(token, ()), 1.0)
            self._add(near, {**self._like(token), **exact}, _BESIDES)
        for groups in sought.phrases:
            self._add(near, dict.fromkeys(self._meant(groups), 1.0), _PHRASE)
        return near

    def _like(self, token: str) -> dict[int, float]:
        """The units that have not a word but something like it, and what that counts as."""
        likeness: dict[int, float] = dict.fromkeys(self._above.get(token, ()), _ABOVE)
        for word in (token, *(parts := parts_of(token))):
            for other in self._spellings.like(word):
                likeness.update(dict.fromkeys(self._words[other], _SPELT))
        for part in parts:
            likeness.update(dict.fromkeys(self._meant(groups_of(part)), _SPELT))
            likeness.update(dict.fromkeys(self._words.get(part, ()), _MEANT))
        likeness.update(dict.fromkeys(self._meant(groups_of(token)), _MEANT))
        for number in self._words.get(token, ()):
            likeness.pop(number, None)
        return likeness

    def _meant(self, groups: Iterable[str]) -> set[int]:
        return set().union(*(self._groups.get(group, set()) for group in groups))

    def _add(self, near: dict[int, float], found: dict[int, float], worth: float) -> None:
        # As in the index: as if there were a hundred units more.
        idf = math.log(1 + (self._count + 100 - len(found) + 0.5) / (len(found) + 0.5))
        for number, share in found.items():
            near[number] = near.get(number, 0.0) + worth * share * idf


def _words(tokens: Sequence[str]) -> set[str]:
    return {*tokens, *(part for token in tokens for part in parts_of(token))}
