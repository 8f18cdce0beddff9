"""The one path from foreign text to a screen: nothing in it may steer a terminal."""

from __future__ import annotations

from helix_tui.text.hidden import REPLACEMENT, on_screen

_VISIBLE: dict[int, str] = {code: chr(0x2400 + code) for code in range(0x20)}
_VISIBLE[0x7F] = "\u2421"
_VISIBLE.update(dict.fromkeys(range(0x80, 0xA0), REPLACEMENT))

_BLOCK = {**_VISIBLE, 0x0A: "\n", 0x09: "    "}
_BLOCK[0x0D] = ""
_LINE = {**_VISIBLE, 0x0A: " ", 0x09: " ", 0x0D: ""}


def safe(text: str) -> str:
    """Foreign text for a block of the screen: line breaks stay, control characters show."""
    return on_screen(text).translate(_BLOCK)


def safe_line(text: str, width: int = 0) -> str:
    """Foreign text on one line, cut to `width` characters where one is given."""
    if width and len(text) > width:
        text = text[: width - 1] + "…"
    return on_screen(text).translate(_LINE)
