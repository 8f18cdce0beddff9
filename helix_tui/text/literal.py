"""The longest literal that every match of a pattern holds: searching for it is far cheaper."""

from __future__ import annotations

import re

_META = frozenset(".^$*+?{}[]|()\\")
_CLASS = re.compile(r"\^?\]?(?:[^\]\\]|\\.)*+\]")  # the rest of a class of characters
_QUANTIFIERS = frozenset("*+?{")


# What makes letters mean others than themselves, or takes several signs for one.
_OTHERWISE = re.compile(r"\(\?(?:#|[a-zA-Z-]*[ix])|\\[xuUN0-9]")


def literal_of(pattern: str) -> str:
    """The longest run of plain characters outside of groups, in small letters; maybe nothing."""
    return _longest_run(pattern).lower()


def exact_literal_of(pattern: str) -> str:
    """The same in the letters that a text must have; nothing where the pattern has flags."""
    return "" if _OTHERWISE.search(pattern) else _longest_run(pattern)


def _longest_run(pattern: str) -> str:
    best, run, depth, at = "", "", 0, 0
    while at < len(pattern):
        sign = pattern[at]
        at += 1
        plain = ""
        if sign == "\\":
            plain = "" if pattern[at : at + 1].isalnum() else pattern[at : at + 1]
            at += 1
        elif sign == "[":
            rest = _CLASS.match(pattern, at)
            at = rest.end() if rest else len(pattern)
        elif sign == "{":
            at = max(pattern.find("}", at) + 1, at)
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
    return max(best, run, key=len)
