"""Events: as they are stored in packs, as rows, and as a transcript shows them."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal[
    "prompt", "reply", "thinking", "tool_call", "tool_result", "compaction", "system", "other"
]
ToolClass = Literal["shell", "read", "edit", "search", "web", "agent", "plan", "mcp", "other"]
# Why a call or a turn failed, where the tool is not to blame.
Fault = Literal["refusal", "cascade", "timeout", "interruption", "api_error"]

# Stored as small integers; the order is part of the store's format and only ever grows.
KINDS: tuple[Kind, ...] = (
    "prompt",
    "reply",
    "thinking",
    "tool_call",
    "tool_result",
    "compaction",
    "system",
    "other",
)
PROMPT, REPLY, THINKING, TOOL_CALL, TOOL_RESULT, COMPACTION, SYSTEM, OTHER = range(len(KINDS))
# The role of a prompt that a person typed while the agent worked, and that was handed over then.
QUEUED_ROLE = "queued"
# What makes a session: something was asked, answered or done.
TURN_KINDS = frozenset({PROMPT, REPLY, THINKING, TOOL_CALL, TOOL_RESULT})


class StoredEvent(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One event as it is stored in a pack frame.

    `fault` is set only where a field of the agent's records says it; a fault that shows in the text
    is derived later.
    """

    fingerprint: int
    position: int
    ts: int | None
    kind: int
    is_error: bool
    role: str | None
    tool: str | None
    call_id: str | None
    exit_code: int | None
    message_id: str | None
    text: str
    fault: Fault | None = None


# The same event on its way to a frame: a tuple in StoredEvent's order, since a struct per event
# costs a fifth of the parse.
EventTuple = tuple[
    int,
    int,
    int | None,
    int,
    bool,
    str | None,
    str | None,
    str | None,
    int | None,
    str | None,
    str,
    Fault | None,
]

# (fingerprint, position, ts, kind, is_error): what the database keeps of an event.
EventRow = tuple[int, int, int | None, int, bool]


class SessionEvent(msgspec.Struct, frozen=True):
    """One event of a transcript, in the order it is shown."""

    seq: int
    ts: int | None
    kind: Kind
    role: str | None
    tool: str | None
    tool_class: ToolClass | None
    call_id: str | None
    is_error: bool
    exit_code: int | None
    fault: Fault | None
    text: str
    sidechain: bool
    fingerprint: str
