"""A cheap look for words, before a dear one for what only stands where one of them does."""

from __future__ import annotations

from collections.abc import Iterable


def may_hold(text: str, words: Iterable[str]) -> bool:
    """Whether a text has one of some words in small letters, whatever its own are.

    Of a text that is more than ASCII it is not known: letters there have more than two forms.
    """
    return not text.isascii() or any(map(text.lower().__contains__, words))
