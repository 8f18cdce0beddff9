"""Words of a log in Markdown: as code, out of which nothing in them leads."""

from __future__ import annotations

import re

from helix_tui.text.hidden import without_hidden
from helix_tui.text.safe import safe_line

_TICKS = re.compile("`+")
_SPAN = re.compile(r"(?P<ticks>`+)(?P<said>.*[^`]|)(?P=ticks)")


def code_span(text: str, *, is_cell: bool = False) -> str:
    """Foreign text as one piece of code on one line; in a table its bars are escaped.

    Its ticks are more than any run of them within, so that it ends where it ends.
    """
    line = safe_line(without_hidden(" ".join(text.split())))
    # Whoever reads lines, not Markdown, is not to take it for a comment: screens leave ours out.
    line = line.replace("<!--", "<! --").replace("-->", "-- >")
    ticks = "`" * (max(map(len, _TICKS.findall(line)), default=0) + 1)
    blank = " " if line[:1] == "`" or line[-1:] == "`" else ""
    if is_cell:
        line = line.replace("|", "\\|")
    return f"{ticks}{blank}{line or ' '}{blank}{ticks}"


def said_in(span: str) -> str:
    """What a piece of code says, where a text is nothing else; any other text as it is."""
    found = _SPAN.fullmatch(span)
    if found is None or found["ticks"] in _TICKS.findall(found["said"]):
        return span
    said = found["said"]
    if said.startswith(" ") and said.endswith(" ") and said.strip():
        said = said[1:-1]
    return said
