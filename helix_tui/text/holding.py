"""A cheap look for words, before a dear one for what only stands where one of them does."""

from __future__ import annotations

from collections.abc import Iterable

# Signs that expressions take for `i`, `k` and `s` where size does not count, and one whose small
# form depends on what stands behind it: with these a text is not known by its small letters.
_OTHER_FORMS = ("\u0130", "\u0131", "\u017f", "\u212a", "\u03a3")


def may_hold(text: str, words: Iterable[str]) -> bool:
    """Whether a text has one of some words in small letters, whatever its own are."""
    if not text.isascii() and any(map(text.__contains__, _OTHER_FORMS)):
        return True
    return any(map(text.lower().__contains__, words))
