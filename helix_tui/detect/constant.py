"""What a message says the same each time, also where that is a number or stands in quotation marks.

A template masks what may differ. Where it never did, in no conversation, it is part of the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_MASK = re.compile(r"<n>|<quoted>|\*")
_MOST_MASKS = 4
_MOST_TEXTS = 20
_LONGEST = 400
_QUOTED = r"\"[^\"\n]{0,60}\"|'[^'\n]{0,60}'|`[^`\n]{0,60}`"
# What stands for each mask in a text; where templates are joined, one mask stands for any.
_VALUES = {
    "<n>": r"(?<!\d)(-?\d[\d.,]{0,40})",
    "<quoted>": rf"({_QUOTED})",
    "*": rf"({_QUOTED}|[^\s\"'`]{{1,60}})",
}


def as_said(template: str, texts: Iterable[str]) -> str:
    """Return a template with the values that all texts have in its masks put in."""
    pieces = _MASK.split(template)
    several = sorted(set(texts))
    if not 1 < len(pieces) <= _MOST_MASKS + 1 or not 0 < len(several) <= _MOST_TEXTS:
        return template
    masks = _MASK.findall(template)
    values = [_VALUES[mask] for mask in masks]
    pattern = re.compile(_alternating([re.escape(piece) for piece in pieces], values))
    found = [pattern.search(text[:_LONGEST]) for text in several]
    rows = [match.groups() for match in found if match is not None]
    if len(rows) < len(several):
        return template
    columns = [set(column) for column in zip(*rows, strict=True)]
    put = [
        mask if len(column) > 1 or _is_place(piece, *column) else column.pop()
        for piece, column, mask in zip(pieces, columns, masks, strict=False)
    ]
    return _alternating(pieces, put)


def _is_place(before: str, value: str) -> bool:
    """Whether a number is a line or a column, which says nothing where it is the same."""
    return before.endswith(":") and value.isdigit()


def _alternating(pieces: list[str], between: list[str]) -> str:
    return "".join(part for pair in zip(pieces, [*between, ""], strict=True) for part in pair)
