"""Clauses of what people write, each by its telling words, ready to be compared."""

from __future__ import annotations

import re

from helix_tui.text.common_words import COMMON
from helix_tui.text.request_words import WEAK

_CLAUSE = re.compile(
    r"[.!?;:,]{1,8}(?:\s|$)|[。！？；，]|\n|\s[–—-]\s|\s(?:then|but|so that)\s|[()]"
)
_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s{1,4}|(?<=[。！？])")
_WORD = re.compile(r"[^\W_][\w./:@#+'-]{0,60}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,200}")
_ENDINGS = ("ings", "ing", "ies", "ed", "es", "s")
# A file is the same with and without its ending.
_EXTENSION = re.compile(r"(?<=\w)\.[a-z]{1,4}$")
_SIGN_OR_DIGIT = re.compile(r"[0-9]|.[_./:@#].")
_LEAST_STEM = 3
_LEAST = 2
_MOST_STEMS = 12
_MOST_UNITS = 10
_MOST_CLAUSES = 40
_DIGITS = re.compile(r"\d{1,20}")
_BEGINNING_WORDS = 8
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
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST_STEM:
            word = stem + ("y" if ending == "ies" else "")
            break
    if len(word) > _LEAST_STEM and word[-1] == word[-2] and word[-1] not in "aeiosl":
        word = word[:-1]  # committing, commit
    return word[:-1] if word.endswith("e") and len(word) > _LEAST_STEM else word


_COMMON_STEMS = frozenset(map(stem_of, COMMON)) - WEAK


def clauses_of(own: str) -> list[list[str]]:
    """The clauses of a person's words, each as its telling words in order."""
    units = []
    for clause in _CLAUSE.split(own.replace("’", "'"))[:_MOST_CLAUSES]:
        stems = _stems(clause)
        if stems and len(stems) <= _MOST_STEMS:
            units.append(stems)
    return units[:_MOST_UNITS]


def _stems(clause: str) -> list[str]:
    found: dict[str, None] = {}
    for raw in _WORD.findall(_CJK.sub(" ", clause)):
        word = raw.strip("./:@#+'-")
        small = word.lower().removesuffix("'s")
        if small in _ABBREVIATIONS:
            continue
        if is_name(word) and "'" not in word:
            if not word[:1].isdigit():
                found[_EXTENSION.sub("", small.rpartition("/")[2])] = None
        elif len(small) >= _LEAST and "'" not in small:
            stem = stem_of(small.replace("-", ""))
            if stem not in _COMMON_STEMS:
                found[stem] = None
    for run in _CJK.findall(clause):
        found.update((run[at : at + 2], None) for at in range(len(run) - 1))
    return list(found)


def beginnings_of(text: str) -> list[str]:
    """How a long text begins, in many words and in few, figures masked: templates begin alike."""
    words = _WORD.findall(_DIGITS.sub("0", text[:400].lower()))
    many, few = " ".join(words[:_BEGINNING_WORDS]), " ".join(words[: _BEGINNING_WORDS // 2])
    return [many, few] if many != few else [many]


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, as they are quoted."""
    pieces = _SENTENCE.split(" ".join(text.split()))
    return [piece.strip() for piece in pieces if piece and piece.strip()]
