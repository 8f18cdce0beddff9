"""Which lines tell of the same cure: by the error without its values, and the way past it."""

from __future__ import annotations

import re

from helix_tui.text.markdown import said_in

_OVERCOME = re.compile(
    r"^After the error (?P<error>`.+?`) "
    r"(?:this passed: |this got past it, then failed otherwise: |the agent ran )(?P<rest>.+)$"
)
_VERB = re.compile(r"\((`+ ?.+? ?`+)\)$")
_VALUE = re.compile(r"\d+|(?:[\w.~-]*/)+[\w.-]*|['\"][^'\"]*['\"]|[^\w\s]+")
_LEAST_WORDS = 3
_LENGTH = 80


def cure_of(line: str) -> str:
    """By what a line that tells of a cure is the same as another; empty for any other line."""
    match = _OVERCOME.match(line)
    if match is None:
        return ""
    error = _VALUE.sub(" ", said_in(match["error"])).casefold().split()
    verb = _VERB.search(match["rest"])
    # An error of which little is left without its values may be any.
    if len(error) < _LEAST_WORDS:
        return ""
    return f"{' '.join(error)[:_LENGTH]} | {said_in(verb[1]) if verb else ''}"
