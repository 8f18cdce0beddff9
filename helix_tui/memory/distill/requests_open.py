"""Pull requests that a session opened and left open, with what of them nobody has ticked."""

from __future__ import annotations

from collections.abc import Iterator

from helix_tui.memory.distill.quoting import quoted
from helix_tui.schema.memory import Piece

_TITLE_LENGTH = 120
_BOX_LENGTH = 110
_MOST_BOXES = 3


def requests_open(piece: Piece) -> Iterator[str]:
    """A line for each pull request that was opened, and neither merged nor closed."""
    for one in piece.requests:
        if one.state == "open":
            title = f": {quoted(one.title, _TITLE_LENGTH)}" if one.title else ""
            boxes = "; ".join(quoted(box, _BOX_LENGTH) for box in one.boxes[:_MOST_BOXES])
            not_ticked = f"; not ticked in it: {boxes}" if boxes else ""
            yield f"Pull request #{one.number} is open{title}{not_ticked}"
