"""What a person types to narrow a list: words that are all wanted, `!` before one that is not."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

# A field with a value; what follows the colon of an address or a drive is none.
_NAMED = re.compile(r"!?([a-z]{2,20}):[^/\\:\s]")


class FilterWord(NamedTuple):
    """A word of a filter in lower case, and the field it looks into; `""` is the whole row."""

    field: str
    wanted: str
    is_inverted: bool


def filter_words(text: str, fields: Container[str] = ()) -> list[FilterWord]:
    """Read a filter; `flavor:codex` looks into a field where there is one of that name.

    A field that is named without a value stays, with nothing wanted of it.
    """
    words: list[FilterWord] = []
    for word in text.lower().split():
        plain = word.removeprefix("!")
        field, colon, value = plain.partition(":")
        if colon and field in fields:
            words.append(FilterWord(field, value, plain != word))
        elif plain:
            words.append(FilterWord("", plain, plain != word))
    return words


def unknown_fields(text: str, fields: Container[str]) -> list[str]:
    """The names of fields that a filter names and a list does not have; the words stay text."""
    named = (_NAMED.match(word) for word in text.lower().split())
    return [found[1] for found in named if found and found[1] not in fields]


def is_fitting(text: str, words: str) -> bool:
    """Whether a text in lower case has every word of a filter, and none of those inverted."""
    return all((word.wanted in text) != word.is_inverted for word in filter_words(words))
