"""Tells which of the words that rules need are in a text, all of them in a few passes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

# What a pass looks for: of a word's letters the one that is rarest in what agents write. `re` runs
# to the next such letter many times as fast as it tries one word after the other at each place.
_RARE = (b" -", b"$", b"{", b"(", b"k", b"p", b"u", b"c", b"d", b"-", b":")


class Group(NamedTuple):
    """Words that share a rare letter."""

    places: re.Pattern[bytes]  # finds any of the words; a group, always empty, says which
    words: list[bytes]
    within: list[tuple[bytes, ...]]  # of each word those that are part of it
    beside: list[tuple[bytes, ...]]  # of each word others that may stand at the same letter


def grouped(words: Iterable[bytes]) -> list[Group]:
    """The words by their rarest letters."""
    groups: dict[bytes, list[bytes]] = {}
    for word in dict.fromkeys(words):
        letter = next((sign for sign in _RARE if sign in word), word[:1])
        groups.setdefault(letter, []).append(word)
    return [_group(letter, found) for letter, found in groups.items()]


def words_in(low: bytes, groups: list[Group]) -> set[bytes]:
    """Those of the words that are in the small letters of a text's bytes."""
    present: set[bytes] = set()
    for places, words, within, beside in groups:
        if not places.search(low):
            continue
        if len(words) == 1:
            present.add(words[0])
            continue
        for at in {hit.lastindex for hit in places.finditer(low)}:
            shown = (at or 1) - 1
            present.add(words[shown])
            present.update(within[shown])
            present.update(word for word in beside[shown] if word in low)
    return present


def _group(letter: bytes, words: list[bytes]) -> Group:
    words = sorted(words, key=len, reverse=True)  # the longest that fits a place is the one found
    within, beside = [], []
    for word in words:
        fitting = [other for other in words if other != word and _fit(word, other, letter)]
        within.append(tuple(other for other in fitting if other in word))
        beside.append(tuple(other for other in fitting if other not in word))
    alternatives = b"|".join(_alternative(*word.partition(letter)) for word in words)
    return Group(
        re.compile(re.escape(letter) + b"(?:" + alternatives + b")"), words, within, beside
    )


def _alternative(before: bytes, letter: bytes, behind: bytes) -> bytes:
    # Its next sign comes first: an alternative that starts with a sign is passed over at once. No
    # more than that is taken, so that the next word may begin within this one.
    sign, rest = re.escape(behind[:1]), re.escape(behind[1:])
    return sign + b"(?=%b)(?<=%b)()" % (rest, re.escape(before + letter + behind[:1]))


def _fit(word: bytes, other: bytes, letter: bytes) -> bool:
    """Whether two words can stand in a text with this letter at the same place."""
    before, _, behind = word.partition(letter)
    left, _, right = other.partition(letter)
    return (before.endswith(left) or left.endswith(before)) and (
        behind.startswith(right) or right.startswith(behind)
    )
