"""Words of what people write as they are compared, and its sentences as they are quoted."""

from __future__ import annotations

import re
from functools import lru_cache

from helix_tui.text.common_words import COMMON
from helix_tui.text.request_words import WEAK

# The number of an item ends no sentence.
_SENTENCE = re.compile(r"(?<=[.!?;。！？])(?<!\s\d\.)(?<!\s\d\d\.)\s{1,4}|(?<=[。！？])")
_ENDINGS = ("ings", "ing", "ies", "ed", "es", "s")
# A file is the same with and without its ending.
_EXTENSION = re.compile(r"(?<=\w)\.[a-z]{1,4}$")
# What Slavic words end with, by case, number and person, where four letters are left.
_CYRILLIC = re.compile(
    "(?<=[\u0400-\u04ff]{4})(?:ами|ями|ого|его|ому|ему|ыми|ими|ов|ев|ей|ам|ям|ах|ях|ом|ем|ой|ый|ий"
    "|ая|яя|ое|ее|ую|юю|ые|ие|их|ых|[аеиоуыьюяй])\\Z"
)
_SIGN_OR_DIGIT = re.compile(r"[0-9]|.[_./:@#].")
_LEAST_STEM = 3
_LONG_ENOUGH = 7
_LEAST = 2
_ABBREVIATIONS = frozenset({"e.g", "i.e", "etc", "w/o", "w/"})


def is_name(word: str) -> bool:
    """Whether a word is the name of a file, an identifier or a number rather than a word."""
    # Most are plain words, which a look at the whole word tells.
    if not word.isalpha() and _holds_sign(word):
        return True
    if word.islower() or word.isupper():
        return False
    return any(sign.isupper() for sign in word[1:])


def _holds_sign(word: str) -> bool:
    """Whether a word holds a sign within, or a digit of any script."""
    if word.isascii():
        return _SIGN_OR_DIGIT.search(word) is not None
    return any(sign in word[1:-1] for sign in "_./:@#") or any(sign.isdigit() for sign in word)


def stem_of(word: str) -> str:
    """A word without its ending, where enough is left of it."""
    if "\u0400" <= word[:1] <= "\u04ff":
        return _CYRILLIC.sub("", word)
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST_STEM:
            word = stem + ("y" if ending == "ies" else "")
            break
    if word.endswith("en") and len(word) >= _LONG_ENOUGH:
        word = word[:-2]  # written, committen
    if len(word) > _LEAST_STEM and word[-1] == word[-2] and word[-1] not in "aeiosl":
        word = word[:-1]  # committing, commit
    return word[:-1] if word.endswith("e") and len(word) > _LEAST_STEM else word


_COMMON_STEMS = frozenset(map(stem_of, COMMON)) - WEAK


# The same words come up again and again, in requests even more than in any text.
@lru_cache(maxsize=8192)
def telling(raw: str) -> str:
    """A word as it is compared; nothing where it tells nothing."""
    word = raw.strip("./:@#+'-_")
    small = word.lower().removesuffix("'s")
    if small in _ABBREVIATIONS:
        return ""
    if is_name(word) and "'" not in word:
        name = _EXTENSION.sub("", small.rpartition("/")[2])
        return "" if word[:1].isdigit() else name
    if len(small) < _LEAST or "'" in small:
        return ""
    stem = stem_of(small.replace("-", ""))
    return "" if stem in _COMMON_STEMS else stem


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, as they are quoted."""
    pieces = _SENTENCE.split(" ".join(text.split()))
    return [piece.strip() for piece in pieces if piece and piece.strip()]
