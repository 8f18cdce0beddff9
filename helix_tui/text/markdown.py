"""Words of a log in Markdown: as a code span that nothing in them can end."""

from __future__ import annotations

import re

from helix_tui.text.hidden import without_hidden
from helix_tui.text.safe import safe_line

_TICKS = re.compile("`+")
_SPAN = re.compile(r"(?P<ticks>`+)(?P<said>.*[^`]|)(?P=ticks)")


def code_span(text: str, *, is_cell: bool = False) -> str:
    """Foreign text as one piece of code on one line; in a table its bars are escaped.

    Its fence has more backticks than any run of them within.
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
    match = _SPAN.fullmatch(span)
    if match is None or match["ticks"] in _TICKS.findall(match["said"]):
        return span
    content = match["said"]
    if content.startswith(" ") and content.endswith(" ") and content.strip():
        content = content[1:-1]
    return content
