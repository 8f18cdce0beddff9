"""Where approval previews are shown: a stream, which may be a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from helix_tui.cli.review.preview import PreviewLine, Size

_STYLES = {"bold": "\x1b[1m", "dim": "\x1b[2m"}
_PLAIN = "\x1b[0m"
_CLEAR = "\x1b[H\x1b[2J"
_UNKNOWN = Size(80, 24)
_PIPED = Size(100, 40)
_NARROWEST = Size(20, 6)
_WIDEST = 120


class Screen:
    """A stream for approval previews; without a terminal it gets no control sequences."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self._is_terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._has_styles = self._is_terminal and not os.environ.get("NO_COLOR")

    def size(self) -> Size:
        """How much can be shown at once."""
        if not self.stream.isatty():
            return _PIPED
        try:
            terminal = os.get_terminal_size(self.stream.fileno())
        except OSError:
            return _UNKNOWN
        if not terminal.columns or not terminal.lines:
            return _UNKNOWN  # a terminal that nobody told its size
        width = min(max(terminal.columns, _NARROWEST.width), _WIDEST)
        return Size(width, max(terminal.lines, _NARROWEST.height))

    def show(self, rows: Iterable[PreviewLine], *, is_fresh: bool = True) -> None:
        """Show lines on an empty screen, or below what is there; the last one waits for a key."""
        if is_fresh and self._is_terminal:
            self.stream.write(_CLEAR)
        self.stream.write("\n".join(self._styled(row) for row in rows))
        self.stream.write(" ")
        self.stream.flush()

    def tell(self, *lines: str) -> None:
        """Write lines that are safe as they are."""
        self.stream.writelines(f"{line}\n" for line in lines)
        self.stream.flush()

    def _styled(self, row: PreviewLine) -> str:
        if not (self._has_styles and row.style and row.text):
            return row.text
        return f"{_STYLES[row.style]}{row.text}{_PLAIN}"


def screen_for(*, as_json: bool) -> Screen:
    """The stream for approval previews: never the one that a script reads JSON from."""
    if as_json:
        return Screen(sys.stderr)
    is_piped = not sys.stdout.isatty() and sys.stdin is not None and sys.stdin.isatty()
    return Screen(sys.stderr if is_piped and sys.stderr.isatty() else sys.stdout)
