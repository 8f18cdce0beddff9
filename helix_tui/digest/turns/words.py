"""Words that tell what a turn means, in some languages; position and structure come first.

The tables are data (words.toml) and are laid on small letters. A language that no table knows loses
these hints and nothing else.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_TABLES: dict[str, dict[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "words.toml").read_text("utf-8")
)
_SIGNS = "signs"
# What may stand before the word that counts, at the beginning of a turn.
_OPENING = r"^\W{0,6}"
_AFTER_SMALL_WORDS = _OPENING + r"(?:(?:ok|okay|and|so|also|please|great|now|und|y|et)\W{1,3}){0,3}"


def _any_of(table: str) -> str:
    """Any word of a table, with a border on each side where its script has blanks."""
    rows = _TABLES[table]
    words = "|".join(word for name, row in rows.items() if name != _SIGNS for word in row)
    return "|".join((rf"(?<!\w)(?:{words})(?!\w)", *rows.get(_SIGNS, ())))


ACCEPTS = re.compile(rf"{_OPENING}(?:sorry\W{{1,3}})?(?:{_any_of('accepts')})")
NEGATES = re.compile(_any_of("negates"))
# How many characters from the beginning a negation is about what was done, not a detail.
NEGATION_REACH = 60
DECLINES = re.compile(rf"{_OPENING}(?:{_any_of('declines')})")
INSTEAD = re.compile(_any_of("instead"))
SHOULD = re.compile(_any_of("should"))
DOUBTS = re.compile(_any_of("doubts"))
WHY = re.compile(_any_of("why"))
BROKEN = re.compile(_any_of("broken"))
WISHES = re.compile(f"{_AFTER_SMALL_WORDS}(?:{_any_of('wishes')})")
ADDS = re.compile(f"{_AFTER_SMALL_WORDS}(?:{_any_of('adds')})")
STANDING = re.compile(_any_of("standing"))
_THINKING = r"(?:<thinking>\s{0,4})?\W{0,6}"
CONCEDES = re.compile(f"{_THINKING}(?:{_any_of('concedes')}|{_any_of('admits')})")
ADMITS = re.compile(_any_of("admits"))
