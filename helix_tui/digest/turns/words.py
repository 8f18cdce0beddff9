"""Words that tell what a turn means, in some languages; position and structure come first.

The tables are data (words.toml) and are laid on small letters. A language that no table knows loses
these hints and nothing else.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

from helix_tui.text.lazy import lazy

_TABLES: dict[str, dict[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "words.toml").read_text("utf-8")
)
_SIGNS = "signs"
# What may stand before the word that counts, at the beginning of a turn.
_OPENING = r"^\W{0,6}"
_AFTER_SMALL_WORDS = _OPENING + r"(?:(?:ok|okay|and|so|also|please|great|now|und|y|et)\W{1,3}){0,3}"
# What of an expression a text need not hold: one of several signs, one that may be left out.
_LOOSE = re.compile(r"\[[^\]]*\]|.[?*]")
# Letters of the tables that are not ASCII: most texts have none of them.
_FOREIGN = frozenset(
    sign
    for rows in _TABLES.values()
    for row in rows.values()
    for sign in "".join(row)
    if not sign.isascii()
)


class Words:
    """An expression of tables, behind what may stand before; for texts without foreign letters
    it is without the words that have some."""

    __slots__ = ("_of_any", "_of_plain")

    def __init__(self, before: str, *tables: str) -> None:
        self._of_any = lazy(before + _any_of(tables, is_plain=False))
        self._of_plain = lazy(before + _any_of(tables, is_plain=True))

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Where a text holds one of the words."""
        return self._for(text).search(text, start, end)

    def match(self, text: str) -> re.Match[str] | None:
        """Whether a text begins with one of the words."""
        return self._for(text).match(text)

    def _for(self, text: str) -> re.Pattern[str]:
        is_plain = text.isascii() or _FOREIGN.isdisjoint(text)
        return self._of_plain if is_plain else self._of_any


def _any_of(tables: tuple[str, ...], *, is_plain: bool) -> str:
    """Any word of some tables, with a border on each side where its script has blanks."""
    rows = [(name, row) for table in tables for name, row in _TABLES[table].items()]
    words = [word for name, row in rows if name != _SIGNS for word in row]
    signs = [word for name, row in rows if name == _SIGNS for word in row]
    if is_plain:
        words = list(filter(_may_be_plain, words))
        signs = list(filter(_may_be_plain, signs))
    # Every word begins with a letter.
    return "(?:" + "|".join((rf"\b(?:{'|'.join(words)})(?!\w)", *signs)) + ")"


def _may_be_plain(word: str) -> bool:
    """Whether an expression may fit a text without foreign letters."""
    return word.isascii() or "|" in word or _LOOSE.sub("", word).isascii()


ACCEPTS = Words(rf"{_OPENING}(?:sorry\W{{1,3}})?", "accepts")
NEGATES = Words("", "negates")
# How many characters from the beginning a negation is about what was done, not a detail.
NEGATION_REACH = 60
DECLINES = Words(_OPENING, "declines")
INSTEAD = Words("", "instead")
SHOULD = Words("", "should")
DOUBTS = Words("", "doubts")
WHY = Words("", "why")
BROKEN = Words("", "broken")
WISHES = Words(_AFTER_SMALL_WORDS, "wishes")
ADDS = Words(_AFTER_SMALL_WORDS, "adds")
STANDING = Words("", "standing")
_THINKING = r"(?:<thinking>\s{0,4})?\W{0,6}"
CONCEDES = Words(_THINKING, "concedes", "admits")
ADMITS = Words("", "admits")
