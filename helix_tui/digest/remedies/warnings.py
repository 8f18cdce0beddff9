"""What a program that passed warns of: the first line of its output that says so."""

from __future__ import annotations

import re

from helix_tui.digest.excerpt import excerpt_line

_WARNING = re.compile(r"(?i)\bwarn(?:ing)?\b[:\]]")
_MOST_LINES, _LENGTH = 60, 160


def warning_in(text: str) -> str:
    """The first warning among the first lines of an output."""
    lines = text[:20_000].splitlines()[:_MOST_LINES]
    return next((excerpt_line(line, _LENGTH) for line in lines if _WARNING.search(line)), "")
