"""The words and names of a text, in any script, as they are compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from helix_tui.text.clauses import is_name
from helix_tui.text.hashing import hash64

_WORD = re.compile(r"[^\W_][\w./:@#+-]{0,80}")
# The same for ASCII alone, which is looked up by sign: half the time for nearly every text.
_ASCII_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./:@#+-]{0,80}")
_INNER = re.compile(r"[A-Z]?[a-z]{3,40}|[A-Z]{3,40}|\d{2,12}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,400}")
_LEAST = 4
_JOINING = frozenset(
    {"", "&&", "||", "|", ";", "cd", "2>&1", ">", "<", "a", "-", "to", "and", "the"}
)


def _words_of(text: str) -> set[str]:
    return set((_ASCII_WORD if text.isascii() else _WORD).findall(text))


class OwnTerms(NamedTuple):
    """The words of a turn that are looked for in what the agent did and said before it.

    `names` are of files, identifiers and commands (they hold a sign, a digit or inner capitals),
    `paths` those of files; `words` are all that may be compared, `numbers` the same as numbers.
    """

    names: set[str]
    paths: set[str]
    words: set[str]
    numbers: frozenset[int]


# A turn's own words are compared with what stands before it, then kept for the next turn.
@lru_cache(maxsize=2)
def own_terms(text: str) -> OwnTerms:
    """The words of a turn."""
    names: set[str] = set()
    words: set[str] = set()
    for word in {word.strip("./:@#+-") for word in _words_of(text)}:
        terms = _terms_of_word(word)
        words |= terms
        if len(word) > 2 and is_name(word):
            small = word.lower()
            names |= {small, small.rpartition("/")[2]}
    words.update(_pairs_in(text))
    paths = {name for name in names if "." in name[1:-1] and "/" not in name}
    return OwnTerms(names, paths, words, frozenset(hashed(words)))


def numbers_in(text: str) -> set[int]:
    """The words of a text that may be compared, as numbers: long ones, names with their parts,
    pairs of signs where a script has no blanks."""
    found: set[int] = set()
    found.update(*map(_numbers_of_word, _words_of(text)))
    found.update(map(_number, _pairs_in(text)))
    return found


def _pairs_in(text: str) -> Iterator[str]:
    """Pairs of signs of a script without blanks."""
    if not text.isascii():
        for run in _CJK.findall(text):
            yield from (run[at : at + 2] for at in range(len(run) - 1))


# The same words come up again and again, in what agents write even more than in what people do.
@lru_cache(maxsize=16384)
def _numbers_of_word(word: str) -> tuple[int, ...]:
    return tuple(map(_number, _terms_of_word(word)))


def _terms_of_word(word: str) -> set[str]:
    word = word.strip("./:@#+-")
    small = word.lower()
    if (word == small and word.isalpha()) or not is_name(word):
        return {small} if len(small) >= _LEAST else set()
    parts = (part.lower() for part in _INNER.findall(word) if len(part) >= _LEAST)
    return {small, small.rpartition("/")[2], *parts}


def command_words(command: str) -> set[str]:
    """The words of a command line: programs, sub-commands, options and arguments."""
    return {word.strip("'\"`.,;:!?()").lower() for word in command.split()[:40]} - _JOINING


def hashed(words: set[str]) -> set[int]:
    """Words as numbers."""
    return set(map(_number, words))


def _number(word: str) -> int:
    return hash64(word.encode("utf-8", "replace"))
