"""Sessions and states of notes, made for tests."""

from __future__ import annotations

from helix_tui.memory.notes.context import ContextMeter
from helix_tui.memory.notes.page import (
    NotesState,
)
from helix_tui.schema import (
    Cost,
    Session,
)

NAME = "claude:one"


def state(**fields: object) -> NotesState:
    known = {"session": NAME, "updated_at": 1, "events": 2, "mark": "ff", "mark_ts": 3}
    return NotesState(**{**known, "has_calls": False, "meter": ContextMeter(9, 9), **fields})  # type: ignore[arg-type]


def session(**fields: str) -> Session:
    return Session(
        id=NAME,
        flavor="claude",
        native_id="one",
        parent=None,
        repo=fields.get("repo"),
        cwd=fields.get("cwd"),
        branch=fields.get("branch"),
        model=None,
        first_ts=0,
        last_ts=0,
        events=1,
        prompts=1,
        tool_calls=1,
        tool_errors=0,
        compactions=0,
        raw_bytes=0,
        raw="full",
        ended=None,
        outcome="unknown",
        outcome_confidence=None,
        outcome_reason=None,
        is_analyzed=True,
        gate=None,
        is_pinned=False,
        cost=Cost(),
    )
