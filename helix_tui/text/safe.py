"""The one path from foreign text to a screen: nothing in it may steer a terminal."""

from __future__ import annotations

_BIDI_AND_HIDDEN = (
    0x061C,
    0x180E,
    *range(0x200B, 0x2010),
    0x2028,
    0x2029,
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),
)
_VISIBLE: dict[int, str] = {code: chr(0x2400 + code) for code in range(0x20)}
_VISIBLE[0x7F] = "\u2421"
_VISIBLE.update(dict.fromkeys(range(0x80, 0xA0), "\ufffd"))
_VISIBLE.update(dict.fromkeys(_BIDI_AND_HIDDEN, "\ufffd"))
_VISIBLE.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))

_BLOCK = {**_VISIBLE, 0x0A: "\n", 0x09: "    "}
_BLOCK[0x0D] = ""
_LINE = {**_VISIBLE, 0x0A: " ", 0x09: " ", 0x0D: ""}


def safe(text: str) -> str:
    """Foreign text for a block of the screen: line breaks stay, control characters show."""
    return text.translate(_BLOCK)


def safe_line(text: str, width: int = 0) -> str:
    """Foreign text on one line, cut to `width` characters where one is given."""
    if width and len(text) > width:
        text = text[: width - 1] + "…"
    return text.translate(_LINE)
