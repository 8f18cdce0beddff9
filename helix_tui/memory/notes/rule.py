"""When the notes of a session are begun and brought up to date."""

from __future__ import annotations

from typing import Literal, NamedTuple

from helix_tui.schema.memory import MemorySettings
from helix_tui.text.human import plural


class NotesFacts(NamedTuple):
    """What is seen of a session now; growth and calls are counted from the last update on.

    `base_tokens` is the smallest that the context was since then: a compaction makes it small
    again. A turn is what the model last said in one go.
    """

    context_tokens: int
    base_tokens: int
    tool_calls: int
    pending_calls: int
    has_calls_in_last_turn: bool


class NotesDecision(NamedTuple):
    """Whether notes are to be written, and why or why not, for a person to read."""

    action: Literal["begin", "update", "wait"]
    reason: str


def decide(is_begun: bool, seen: NotesFacts, settings: MemorySettings) -> NotesDecision:
    """What the thresholds call for; `is_begun` says whether the session has notes already."""
    if not is_begun:
        least = settings.minimum_tokens_to_init
        size = f"the context has {seen.context_tokens:,} tokens"
        if seen.context_tokens < least:
            return NotesDecision("wait", f"{size}, notes begin at {least:,}")
        return awaited(seen) or NotesDecision("begin", f"{size}, at least {least:,}")
    least = settings.minimum_tokens_between_update
    growth = max(0, seen.context_tokens - seen.base_tokens)
    grown = f"the context grew by {growth:,} tokens"
    if growth < least:
        return NotesDecision("wait", f"{grown} since the last update, the next is at {least:,}")
    if waits := awaited(seen):
        return waits
    calls = settings.tool_calls_between_updates
    if seen.tool_calls >= calls:
        return NotesDecision("update", f"{grown}, with {plural(seen.tool_calls, 'tool call')}")
    if not seen.has_calls_in_last_turn:
        return NotesDecision("update", f"{grown}, and the last turn called no tool")
    return NotesDecision(
        "wait", f"{grown}, but with {plural(seen.tool_calls, 'tool call')} of {calls:,}"
    )


def awaited(seen: NotesFacts) -> NotesDecision | None:
    """The one thing that no update may get ahead of: a call whose result has not come."""
    if not seen.pending_calls:
        return None
    return NotesDecision("wait", f"{plural(seen.pending_calls, 'tool call')} without a result yet")
