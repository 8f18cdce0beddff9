"""The words by which a model's line is held against the lines of a session.

A model says things in its own words: other endings, a file without its folder. So words count by
their stems, and a name also by what it is put together of.
"""

from __future__ import annotations

import re
from functools import cache

_WORD = re.compile(r"[^\W_][\w./@:+-]{1,80}")
# Signs of languages that put no blanks between words, and the pairs of them that serve as words.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")
_NAME = re.compile(r"\w[./@_:-]\w|\d|[a-z][A-Z]|[A-Z]{4}")
_PART = re.compile(r"[^\W_]{2,}")
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s)$")
_STEM = 7
_LEAST = 3
_SMALL = re.compile(
    r"(?:the|and|for|that|this|with|was|were|are|has|have|had|not|but|from|into|its|then|than|when"
    r"|which|because|they|them|there|been|being|did|does|done|will|would|should|could|can|now|only"
    r"|also|user|agent|session|asks?|asked|says?|said|tells?|told|saw|seen|wants?|wanted|yes|please"
    r"|okay)?"
)


@cache
def _stem(word: str) -> str:
    return _ENDING.sub("", word.casefold())[:_STEM]


def _found(text: str) -> list[str]:
    words = [word.strip(".,:;-/") for word in _WORD.findall(_UNSPACED.sub(" ", text))]
    return [word for word in words if not _SMALL.fullmatch(word.casefold())]


def _parts(word: str) -> frozenset[str]:
    """What a name is put together of, by stems."""
    parts = (part for one in _PART.findall(word) for part in _HUMP.split(one))
    return frozenset(_stem(part) for part in parts if len(part) >= _LEAST or part.isdigit())


def _pairs(text: str) -> set[str]:
    return {
        run[at : at + 2] for run in _UNSPACED.findall(text) for at in range(max(1, len(run) - 1))
    }


class Words:
    """The words of a model's line: names by themselves, the others by their stems."""

    def __init__(self, text: str) -> None:
        found = _found(text)
        self.names = {
            word.casefold(): _parts(word) for word in found if _NAME.search(word) is not None
        }
        self.plain = {_stem(word) for word in found if not _NAME.search(word) and len(word) > 2}
        self.plain |= _pairs(text)

    def __len__(self) -> int:
        return len(self.names) + len(self.plain)

    def names_in(self, said: set[str]) -> int:
        """How many of its names are among the words of a line."""
        return sum(
            name in said or _stem(name) in said or (bool(parts) and parts <= said)
            for name, parts in self.names.items()
        )

    def shared(self, said: set[str]) -> int:
        """How many of its words are among those of a line."""
        return self.names_in(said) + len(self.plain & said)


def words_said(text: str) -> set[str]:
    """The words of a line of a session by their stems; a name whole, by its parts and its end."""
    said = _pairs(text)
    for word in _found(text):
        if len(word) > 2:
            said.add(_stem(word))
        if _NAME.search(word):
            said.add(word.casefold())
            said.add(word.rpartition("/")[2].casefold())
            said |= _parts(word)
    return said
