"""How plainly a command line shows what it does, and a short form of it for a line of text."""

from __future__ import annotations

import re

_SHELL = "$ "
_LENGTH = 120
_CUT = "…"
# A folder by its whole path is one of that machine and day.
_FAR_FOLDER = re.compile(r"\A\(?cd (?:[/~]|[A-Za-z]:)\S{1,300} (?:&&|;) (?=\S)")
_TO_OUTPUT = r"(?: 2>&1| 2>/dev/null)"
_FILTERED = re.compile(rf"{_TO_OUTPUT}?(?: \| (?:tail|head)(?: -\S{{1,12}}| \d{{1,6}})*)*$")
# Where a command only keeps its output in a file, and shows it from there.
_KEPT = re.compile(
    r" ?(?<![0-9])&?>>? ?/(?:private/)?(?:tmp|var|dev)/\S{1,200}(?: 2>&1)?"
    r"(?:(?:;| &&) (?:cat|tail|head|sed -n|less|wc)\b[^;&|]{0,200})?$"
)
# What only keeps or shows the output of a command, and what else is done in the same line.
_ASIDE = re.compile(r"(?<![0-9&>])&?>>? ?[^\s&>]|/tmp/| \| |; |<<|\|\| ")
# Where a long command may be cut: before a part of it begins.
_PART = re.compile(r" (?:&&|\|\||\||;|-{1,2}[A-Za-z])|; ")
_LEAST_LEFT = 60


def roughness(action: str) -> int:
    """How much of a command line has nothing to do with what it shows: other things in one go."""
    text = _bare(action)
    return len(_ASIDE.findall(text)) + 3 * text.endswith(_CUT)


def shortened(action: str) -> str:
    """An action for a line of text: without folder and filters, cut where a part of it ends."""
    text = _bare(action)
    if len(text) <= _LENGTH:
        return text
    head = text[: _LENGTH - 2]
    parts = [found.start() for found in _PART.finditer(head) if found.start() >= _LEAST_LEFT]
    at = parts[-1] if parts else head.rfind(" ", _LEAST_LEFT)
    return f"{head[: at if at > 0 else len(head)].rstrip(' ;&|')} {_CUT}"


def _bare(action: str) -> str:
    text = _FAR_FOLDER.sub("", action.removeprefix(_SHELL), count=1)
    return _KEPT.sub("", _FILTERED.sub("", text, count=1)) or text
