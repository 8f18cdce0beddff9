"""Show words of a log before a command writes them, and ask; without a terminal, refuse."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from helix_tui.errors import LookNeededError
from helix_tui.text.safe import safe

if TYPE_CHECKING:
    from helix_tui.schema.board import ApprovalPreview, Look, Outcome


def looked_at(is_sure: bool, decide: Callable[[Look], Outcome]) -> Outcome:
    """Give a verdict; show words of a log first, and write them only if the person agrees."""
    if is_sure:
        return decide("page")
    try:
        return decide("none")
    except LookNeededError as needed:
        is_asked = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))
        _show(needed, needed.preview if is_asked else None)
        if is_asked and _is_confirmed():
            return decide("page")
        raise


def _show(needed: LookNeededError, preview: ApprovalPreview | None) -> None:
    """Print the page that would be written, or at least the words taken from a log."""
    print(f"Words of a log stand in: {', '.join(needed.fields)}.", file=sys.stderr)
    if preview is not None:
        print(safe(preview.page), file=sys.stderr)
    for session, text in dict.fromkeys(needed.texts):
        print(f"from {safe(session)}:", file=sys.stderr)
        visible = safe(text) or "(it holds a hidden sign or a secret, and is not shown)"
        print(f"  {visible}", file=sys.stderr)


def _is_confirmed() -> bool:
    print("Agents would follow them. Write it? y or n: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
