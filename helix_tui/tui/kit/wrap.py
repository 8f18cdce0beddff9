"""Lines of the screen, broken between words."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

_CONSOLE = Console(markup=False, emoji=False, highlight=False)


def wrapped(line: str, width: int) -> list[str]:
    """One line of safe text as lines of at most so many cells; words too long are cut."""
    lines = Text(line).wrap(_CONSOLE, max(1, width), overflow="fold")
    return [piece.plain.rstrip() for piece in lines] or [""]
