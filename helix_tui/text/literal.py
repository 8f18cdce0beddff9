"""The longest literal that every match of a pattern holds: searching for it is far cheaper."""

from __future__ import annotations

import re

_META = frozenset(".^$*+?{}[]|()\\")
_CLASS = re.compile(r"\^?\]?(?:[^\]\\]|\\.)*+\]")  # the rest of a class of characters
_QUANTIFIERS = frozenset("*+?{")


def literal_of(pattern: str) -> str:
    """The longest run of plain characters outside of groups, in small letters; maybe nothing."""
    best, run, depth, at = "", "", 0, 0
    while at < len(pattern):
        sign = pattern[at]
        at += 1
        plain = ""
        if sign == "\\":
            plain = "" if pattern[at].isalnum() else pattern[at]
            at += 1
        elif sign == "[":
            rest = _CLASS.match(pattern, at)
            at = rest.end() if rest else len(pattern)
        elif sign == "{":
            at = pattern.index("}", at) + 1
        elif sign == "|" and depth == 0:
            return ""
        elif sign in "()":
            depth += 1 if sign == "(" else -1
        elif sign not in _META:
            plain = sign
        if plain and depth == 0 and pattern[at : at + 1] not in _QUANTIFIERS:
            run += plain
        else:
            best, run = max(best, run, key=len), ""
    return max(best, run, key=len).lower()
