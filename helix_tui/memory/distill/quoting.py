"""How a line of an entry holds words of a log: on one line, bounded, as code."""

from __future__ import annotations

import re

from helix_tui.memory.distill.prose import shortened
from helix_tui.schema.memory import Piece
from helix_tui.text.markdown import code_span

LINE_LENGTH = 420
CALL_LENGTH = 120


def quoted(text: str, most: int = LINE_LENGTH) -> str:
    """Words that somebody said."""
    return code_span(shortened(text, most))


def call(summary: str, most: int = CALL_LENGTH) -> str:
    """A call as its tool and arguments, without redirections."""
    plain = re.split(r"\s+(?:\d?>&?\d?|\|)\s*", " ".join(summary.split()).removeprefix("$ "))[0]
    return code_span(shortened(plain, most)) if plain else ""


def name_of(piece: Piece, path: str) -> str:
    """A path relative to the project; one outside of it by its last two names."""
    if piece.cwd and path.startswith(f"{piece.cwd}/"):
        path = path[len(piece.cwd) + 1 :]
    elif path.startswith(("/", "~")):
        path = "/".join(path.split("/")[-2:])
    return code_span(shortened(path, CALL_LENGTH))
