"""What may not be written into a file that is shared: secrets, hidden signs, names of elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from helix_tui.errors import NotFoundError
from helix_tui.text.hidden import hidden_signs
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


def _hidden(text: str) -> list[Refusal]:
    found: dict[Refusal, None] = {}  # a line of a thousand such signs is told once
    line, counted = 1, 0
    for at, what in hidden_signs(text):
        line += text.count("\n", counted, at)
        counted = at
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
    found = _hidden(text)
    made = redact_by_line(text)
    if made != text:
        found += _secrets(text, made)
    return sorted(found)


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
