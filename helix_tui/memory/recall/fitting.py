"""How well a text fits the words that somebody looks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_][\w.-]*")
_MOST_WORDS = 24
_MOST_TEXT = 20_000
# A beginning counts as its word from so many letters on: `migrat` finds `migrations`.
_BEGINNING = 4


def wanted_words(text: str) -> list[str]:
    """The words of a question, each once."""
    found = [word.strip(".-").casefold() for word in _WORD.findall(text[:_MOST_TEXT])]
    return [word for word in dict.fromkeys(found) if word][:_MOST_WORDS]


def fit(wanted: Sequence[str], text: str) -> int:
    """How many of the wanted words a text has; 0 where it has less than half of them."""
    if not wanted:
        return 0
    plain = text[:_MOST_TEXT].casefold()
    has = {word.strip(".-") for word in _WORD.findall(plain)}
    parts = has | {part for word in has for part in re.split(r"[.\-_]", word)}
    count = sum(1 for word in wanted if _is_in(word, parts))
    return count if 2 * count >= len(wanted) else 0


def _is_in(word: str, parts: set[str]) -> bool:
    if word in parts:
        return True
    return len(word) >= _BEGINNING and any(part.startswith(word) for part in parts)
