"""Shows words of a log before a command writes them, and asks; without a terminal it refuses."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from helix_tui.errors import LookNeededError
from helix_tui.text.safe import safe

if TYPE_CHECKING:
    from helix_tui.schema.board import ApprovalPreview, Look, Outcome


def looked_at(
    is_sure: bool, decide: Callable[[Look], Outcome], preview: Callable[[], ApprovalPreview | None]
) -> Outcome:
    """Gives a verdict; words of a log are shown first, and written if somebody says so."""
    if is_sure:
        return decide("page")
    try:
        return decide("none")
    except LookNeededError as needed:
        is_asked = all(one is not None and one.isatty() for one in (sys.stdin, sys.stderr))
        _show(needed, preview() if is_asked else None)
        if is_asked and _is_confirmed():
            return decide("page")
        raise


def _show(needed: LookNeededError, preview: ApprovalPreview | None) -> None:
    """Everything that would be written, or at least the words that are of a log."""
    print(f"Words of a log stand in: {', '.join(needed.fields)}.", file=sys.stderr)
    if preview is not None:
        print(safe(preview.page), file=sys.stderr)
    for session, text in dict.fromkeys(needed.texts):
        print(f"from {safe(session)}:", file=sys.stderr)
        shown = safe(text) or "(it holds a hidden sign or a secret, and is not shown)"
        print(f"  {shown}", file=sys.stderr)


def _is_confirmed() -> bool:
    print("Agents would follow them. Write it? y or n: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
