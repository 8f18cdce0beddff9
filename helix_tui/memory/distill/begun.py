"""What was begun behind the last message, and at which step the session ended."""

from __future__ import annotations

from helix_tui.memory.distill.quoting import call
from helix_tui.schema.memory import Piece
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span

_MOST_FILES = 3
# What matters most of a line of commands.
_COMMIT = "git commit"
_UNSEEN = ("tool_call",)


def broken_at(piece: Piece, step: str) -> str:
    """What had been done on the last request, and the step that was under way."""
    parts = []
    turn = piece.exchanges[-1] if piece.exchanges else None
    if turn is not None and turn.edits:
        names = list(
            dict.fromkeys(name.replace("\\", "/").rpartition("/")[2] for name in turn.files)
        )
        shown = ", ".join(map(code_span, names[:_MOST_FILES]))
        more = (
            f" and {plural(len(names) - _MOST_FILES, 'more file')}"
            if len(names) > _MOST_FILES
            else ""
        )
        what = f"{shown}{more} edited" if names else plural(turn.edits, "edit")
        parts.append(f"begun: {what}{_checked(piece)}")
    elif turn is not None and turn.calls and step:
        parts.append(f"nothing edited for it in {plural(turn.calls, 'call')}")
    if step:
        step = step[max(0, step.find(_COMMIT)) :]
        is_unseen = piece.facts.ended in _UNSEEN
        parts.append(
            f"no result was seen of {call(step)}"
            if is_unseen
            else f"the last step was {call(step)}"
        )
    return "".join(f"; {part}" for part in parts)


def _checked(piece: Piece) -> str:
    """Whether a check ran behind the last edit."""
    now = [one for one in piece.checks if not one.edits_since and not one.is_baseline]
    if not piece.tree.code_edits:
        return ""
    return "" if now else ", no check run since"
