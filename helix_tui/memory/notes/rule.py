"""Decide when the notes of a session are begun and updated."""

from __future__ import annotations

from typing import Literal, NamedTuple

from helix_tui.schema.memory import MemorySettings
from helix_tui.text.human import plural


class NotesFacts(NamedTuple):
    """What is known of a session now; growth and calls are counted from the last update.

    `base_tokens` is the smallest size of the context since then: a compaction makes it small
    again. A turn is what the model last said in one go.
    """

    context_tokens: int
    base_tokens: int
    tool_calls: int
    pending_calls: int
    has_calls_in_last_turn: bool


class NotesDecision(NamedTuple):
    """Whether notes are to be written, and the reason for a person to read."""

    action: Literal["begin", "update", "wait"]
    reason: str


def decide(is_begun: bool, facts: NotesFacts, settings: MemorySettings) -> NotesDecision:
    """Compare the facts with the thresholds; `is_begun` tells whether the session has notes."""
    if not is_begun:
        least = settings.minimum_tokens_to_init
        size = f"the context has {facts.context_tokens:,} tokens"
        if facts.context_tokens < least:
            return NotesDecision("wait", f"{size}, notes begin at {least:,}")
        return awaited(facts) or NotesDecision("begin", f"{size}, at least {least:,}")
    least = settings.minimum_tokens_between_update
    growth = max(0, facts.context_tokens - facts.base_tokens)
    grown = f"the context grew by {growth:,} tokens"
    if growth < least:
        return NotesDecision("wait", f"{grown} since the last update, the next is at {least:,}")
    if awaiting := awaited(facts):
        return awaiting
    calls = settings.tool_calls_between_updates
    if facts.tool_calls >= calls:
        return NotesDecision("update", f"{grown}, with {plural(facts.tool_calls, 'tool call')}")
    if not facts.has_calls_in_last_turn:
        return NotesDecision("update", f"{grown}, and the last turn called no tool")
    return NotesDecision(
        "wait", f"{grown}, but with {plural(facts.tool_calls, 'tool call')} of {calls:,}"
    )


def awaited(facts: NotesFacts) -> NotesDecision | None:
    """Wait while a call has no result yet: no update may get ahead of it."""
    if not facts.pending_calls:
        return None
    return NotesDecision("wait", f"{plural(facts.pending_calls, 'tool call')} without a result yet")
