"""What may not be written into a file that is shared: secrets, hidden signs, names of elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from helix_tui.errors import NotFoundError
from helix_tui.text.redact import redact_by_line


class Refusal(NamedTuple):
    """A line that may not be written, and why; never what stands there."""

    line: int
    what: str


_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}")
_MARK = re.compile(r"\[secret:(\w+)\]")
_KINDS = {
    "pem": "a private key",
    "url": "a password in an address",
    "key": "a password, key or token",
    "jwt": "a signed token (jwt)",
}
# By number, not by the categories of this Python's Unicode: what one machine takes, all take.
_HIDDEN = (
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
    (
        "a sign without a meaning that all share",
        r"\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000f0000-\U0010ffff"
        + "".join(f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(1, 15)),
    ),
)
_PICTURE = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf"
    r"\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# One selector behind a picture, one joiner between two: how a family or a keycap is written. And
# the line ends of an editor elsewhere.
_ALLOWED = (
    r"\r(?=\n)"
    rf"|(?<=[{_PICTURE}])[\ufe0e\ufe0f]"
    r"|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    rf"|(?:(?<=[{_PICTURE}])|(?<=[{_PICTURE}]\ufe0f))\u200d(?=[{_PICTURE}])"
)
_SEEN = re.compile("|".join((_ALLOWED, *(f"([{signs}])" for _, signs in _HIDDEN))))
_ANY_HIDDEN = re.compile(f"[{''.join(signs for _, signs in _HIDDEN)}]")


def _hidden(text: str) -> list[Refusal]:
    found: dict[Refusal, None] = {}  # a line of a thousand such signs is told once
    line, counted = 1, 0
    for seen in _SEEN.finditer(text):
        if seen.lastindex:
            line += text.count("\n", counted, seen.start())
            counted = seen.start()
            what = f"{_HIDDEN[seen.lastindex - 1][0]} (U+{ord(seen[0]):04X})"
            found[Refusal(line, what)] = None
    return list(found)


def _secrets(text: str, made: str) -> list[Refusal]:
    found = []
    is_in_block = False
    lines = zip(text.split("\n"), made.split("\n"), strict=True)
    for number, (was, became) in enumerate(lines, 1):
        if was != became:
            marks = Counter(_MARK.findall(became))
            kinds = marks - Counter(_MARK.findall(was))
            # A secret that took an older mark along leaves as many as there were; so does the end
            # of a block, behind which only what was there is left.
            if not kinds and not (is_in_block and was.endswith(became)):
                kinds = marks
            found += [Refusal(number, _KINDS.get(kind, f"a key of {kind}")) for kind in kinds]
        if became:
            is_in_block = was != became and became.endswith("[secret:pem]")
    return found


def refusals(text: str) -> list[Refusal]:
    """Every line with a secret or a hidden sign; what was taken out before is none."""
    found = _hidden(text) if _ANY_HIDDEN.search(text) else []
    made = redact_by_line(text)
    if made != text:
        found += _secrets(text, made)
    return sorted(found)


def without_hidden(text: str) -> str:
    """The text with a replacement character for each hidden sign in it."""
    return _SEEN.sub(lambda seen: "\ufffd" if seen.lastindex else seen[0], text)


def check_id(text: str) -> bool:
    """Whether an id may name a file."""
    return _ID.fullmatch(text) is not None


def inside(root: Path, name: str, suffix: str = "") -> Path:
    """The file of an id in a folder, of which neither the id nor a link leads out."""
    if not check_id(name):
        raise NotFoundError("There is nothing of that id.", "An id has letters, digits, . _ and -.")
    path = root / f"{name}{suffix}"
    try:
        real = path.resolve()
    except (OSError, RuntimeError) as error:  # a link to itself
        raise NotFoundError(f"{path} cannot be followed: {error}.") from error
    if real != root.resolve() / path.name:
        raise NotFoundError(f"{path} is a link.", "Put the file itself there.")
    return path
