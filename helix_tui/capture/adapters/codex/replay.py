"""Tell a fork's own records from its parent's history, with which it begins.

Codex writes the parent's records into a fork's or a sub-agent's rollout again, stamped anew, in
one burst. Records after the last piece of work in that burst begin the child's own turn.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from helix_tui.capture.adapters.codex.records import CodexRecord, Payload

# Copies follow one another within milliseconds; a model takes longer to say its first word.
BURST_MS = 1000
# Without a word of a fork there may be no copies at all, and a model may be quick.
QUIET_BURST_MS = 100
_WORK_EVENTS = frozenset(
    (
        "task_complete",
        "turn_complete",
        "turn_aborted",
        "agent_message",
        "agent_reasoning",
        "context_compacted",
        "exec_command_end",
        "patch_apply_end",
        "mcp_tool_call_end",
        "web_search_end",
    )
)

Verdict = Literal["copy", "held", "own"]


class HeldRecord(msgspec.Struct, array_like=True, frozen=True):
    """A record of which it is not yet known whether it is a copy."""

    offset: int
    slot: int
    text: bytes


class Replay(msgspec.Struct, array_like=True):
    """The state of a rollout that may still be repeating its parent."""

    is_on: bool
    began_ts: int
    latest_ts: int
    start_ordinal: int | None
    is_sure: bool
    held: list[HeldRecord]

    def judge(self, record: CodexRecord, ts: int | None) -> Verdict:
        """Whose record this is; `held` ones are the child's if the burst ends after them."""
        if self.start_ordinal is not None and record.ordinal is not None:
            if record.ordinal >= self.start_ordinal:
                self.is_on = False
            return "copy" if self.is_on else "own"
        if ts is not None and ts > self.began_ts:
            if ts - self.latest_ts > (BURST_MS if self.is_sure else QUIET_BURST_MS):
                self.is_on = False
                return "own"
            self.latest_ts = max(self.latest_ts, ts)
        if _is_work(record):
            self.held.clear()
            return "copy"
        return "held"


def replay_of(meta: Payload, ts: int) -> Replay | None:
    """How to tell copies, for a rollout whose first record says that it has a parent."""
    if not (meta.forked_from_id or parent_of(meta)):
        return None
    start = meta.subagent_history_start_ordinal
    return Replay(True, ts, ts, start, bool(meta.forked_from_id), [])


def parent_of(meta: Payload) -> str | None:
    """The session that started this one as a sub-agent; a person's fork has none."""
    if meta.parent_thread_id:
        return meta.parent_thread_id
    source = meta.source if isinstance(meta.source, dict) else {}
    spawn = source.get("subagent")
    spawn = spawn.get("thread_spawn") if isinstance(spawn, dict) else None
    parent = spawn.get("parent_thread_id") if isinstance(spawn, dict) else None
    return parent if isinstance(parent, str) and parent else None


def _is_work(record: CodexRecord) -> bool:
    """Whether a record shows that a turn had gone on, so that what precedes it is copied too."""
    payload = record.payload
    if payload is None:
        return False
    if record.type == "event_msg":
        return payload.type in _WORK_EVENTS or (
            payload.type == "token_count" and payload.info is not None
        )
    if record.type == "response_item":
        return payload.type != "message" or payload.role == "assistant"
    return record.type == "compacted"
