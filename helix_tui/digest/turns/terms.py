"""The words and names of a text, in any script, as they are compared."""

from __future__ import annotations

import re
from functools import lru_cache

from helix_tui.text.clauses import is_name
from helix_tui.text.hashing import hash64

_WORD = re.compile(r"[^\W_][\w./:@#+-]{0,80}")
_INNER = re.compile(r"[A-Z]?[a-z]{3,40}|[A-Z]{3,40}|\d{2,12}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,400}")
_LEAST = 4
_JOINING = frozenset(
    {"", "&&", "||", "|", ";", "cd", "2>&1", ">", "<", "a", "-", "to", "and", "the"}
)


def names_in(text: str) -> set[str]:
    """Names of files, identifiers, commands: words that hold a sign, a digit or inner capitals."""
    found = set()
    for word in {word.strip("./:@#+-") for word in _WORD.findall(text)}:
        if len(word) > 2 and is_name(word):
            found.add(word.lower())
            found.add(word.rpartition("/")[2].lower())
    return found


def paths_in(text: str) -> set[str]:
    """The names of files in a text."""
    return {name for name in names_in(text) if "." in name[1:-1] and "/" not in name}


def numbers_in(text: str) -> set[int]:
    """The words of a text that may be compared, as numbers: long ones, names with their parts,
    pairs of signs where a script has no blanks."""
    found: set[int] = set()
    found.update(*map(_numbers_of_word, set(_WORD.findall(text))))
    if not text.isascii():
        for run in _CJK.findall(text):
            found.update(_number(run[at : at + 2]) for at in range(len(run) - 1))
    return found


def words_in(text: str) -> set[str]:
    """The same as they are written, in small letters."""
    found = {term for word in set(_WORD.findall(text)) for term in _terms_of_word(word)}
    for run in _CJK.findall(text):
        found.update(run[at : at + 2] for at in range(len(run) - 1))
    return found


# The same words come up again and again, in what agents write even more than in what people do.
@lru_cache(maxsize=8192)
def _numbers_of_word(word: str) -> tuple[int, ...]:
    return tuple(map(_number, _terms_of_word(word)))


def _terms_of_word(word: str) -> set[str]:
    word = word.strip("./:@#+-")
    small = word.lower()
    if not is_name(word):
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
