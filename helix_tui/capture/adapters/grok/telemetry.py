"""`events.jsonl`: which calls failed, and when turns began and ended."""

from __future__ import annotations

from helix_tui.capture.adapters.grok.memory import (
    FAILED,
    FINE,
    REFUSED,
    STOPPED,
    GrokState,
    TurnSeen,
)
from helix_tui.capture.adapters.grok.put import json_of
from helix_tui.capture.adapters.grok.records import Telemetry
from helix_tui.capture.draft import SessionDraft
from helix_tui.schema import OTHER, SYSTEM, Fault
from helix_tui.text.hashing import hash64
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import without_nul

_OUTCOMES = {
    "success": FINE,
    "followup": FINE,
    "permission_rejected": REFUSED,
    "permission_cancelled": REFUSED,
    "hook_denied": REFUSED,
    "cancelled": STOPPED,
}
# Steps of the program itself, which say nothing that is not said elsewhere.
_STEPS = frozenset(
    (
        "phase_changed",
        "first_token",
        "loop_started",
        "tool_started",
        "tool_completed",
        "permission_requested",
        "permission_resolved",
        "turn_started",
        "turn_ended",
        "interjected",
    )
)


def take_telemetry(
    event: Telemetry, line: bytes, position: int, memory: GrokState, session: SessionDraft
) -> None:
    """Take one line of the telemetry."""
    ts = parse_iso(event.ts) if event.ts else None
    if ts is not None:
        session.saw_time(ts)
    kind = event.type
    if kind == "tool_completed":
        if event.tool_call_id:
            call = hash64(event.tool_call_id.encode("utf-8", "replace"))
            state = _OUTCOMES.get(event.outcome or "", FAILED)
            # A second line for the same call may tell of the workspace; a failure stays one.
            memory.outcomes[call] = max(state, memory.outcomes.get(call, FINE))
    elif kind == "turn_started":
        memory.turns.append(TurnSeen(0, ts))
        if event.model_id and ts is not None:
            session.saw_model(ts, without_nul(event.model_id))
    elif kind == "turn_ended":
        if memory.turns:
            memory.turns[-1].answered_ts = ts
        if event.outcome not in (None, "completed"):
            fault: Fault = "interruption" if event.outcome == "cancelled" else "api_error"
            session.put(position, ts, SYSTEM, json_of(line), fault=fault)
    elif kind not in _STEPS:
        session.put(position, ts, OTHER, json_of(line))
