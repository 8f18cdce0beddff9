"""The one list of signs that nobody sees, or that each reader sees differently.

They are what Unicode calls default ignorable, format characters (but for the few that are drawn),
letters and notes that are drawn as nothing, private use, surrogates and what is no character, and
planes in which nothing is assigned. By number, not by the categories of this Python's Unicode:
what one machine takes, all take. What a later Unicode may assign elsewhere is shown as a box.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from helix_tui.text.lazy import lazy

_KINDS = (
    ("a control character", r"\x00-\x08\x0b-\x1f\x7f-\x9f"),
    ("a lone surrogate", r"\ud800-\udfff"),
    ("a sign that turns the direction of text", r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"),
    ("a hidden line break", r"\u2028\u2029"),
    ("a tag character", r"\U000e0000-\U000e007f"),
    ("a variation selector", r"\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"),
    (
        "a sign without width",
        r"\xad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164"
        r"\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3"
        r"\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff",
    ),
    ("a sign that is drawn as nothing", r"\u2800\U00016fe4\U0001d159"),
    (
        "a sign without a meaning that all share",
        r"\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U00040000-\U000dffff\U000e1000-\U0010ffff"
        r"\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe\U0003ffff",
    ),
)
_PICTURE = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf"
    r"\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# One selector behind a picture: how a heart or a keycap is written.
_SELECTED = rf"(?<=[{_PICTURE}])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)"
# One joiner between two: how a family is.
_JOINED = rf"(?:(?<=[{_PICTURE}])|(?<=[{_PICTURE}]\ufe0f))\u200d(?=[{_PICTURE}])"
_ANY = lazy(f"[{''.join(signs for _, signs in _KINDS)}]")
# The line ends of an editor elsewhere are no control characters.
_SEEN = lazy("|".join((r"\r(?=\n)", _SELECTED, _JOINED, *(f"([{signs}])" for _, signs in _KINDS))))
_ON_SCREEN = lazy(f"{_SELECTED}|([{''.join(signs for _, signs in _KINDS[1:])}])")
REPLACEMENT = "\ufffd"


class HiddenSign(NamedTuple):
    """Where a hidden sign stands, and what it is."""

    at: int
    what: str


def hidden_signs(text: str) -> Iterator[HiddenSign]:
    """Every hidden sign of a text, but for those that make one picture of several."""
    if _ANY.search(text):
        for match in _SEEN.finditer(text):
            if match.lastindex:
                kind = _KINDS[match.lastindex - 1][0]
                yield HiddenSign(match.start(), f"{kind} (U+{ord(match[0]):04X})")


def without_hidden(text: str) -> str:
    """The text with a replacement character for each hidden sign in it."""
    return _SEEN.sub(lambda match: REPLACEMENT if match.lastindex else match[0], text)


def on_screen(text: str) -> str:
    """The same for a terminal; a joiner goes, as terminals differ in how wide it makes a picture.

    Control characters stay: whoever shows them has a picture for each.
    """
    if text.isascii():
        return text
    return _ON_SCREEN.sub(lambda match: REPLACEMENT if match.lastindex else match[0], text)
