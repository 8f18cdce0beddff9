"""What a person can set of memory, and what of it a screen or a command shows."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

DistillerName = Literal["extractive", "command"]
DISTILLERS: tuple[DistillerName, ...] = ("extractive", "command")
FlushAction = Literal["written", "nothing_new", "noop", "busy", "failed", "capped"]


class MemorySettings(NamedTuple):
    """How sessions are distilled, what that may cost, and when notes are brought up to date."""

    distiller: DistillerName = "extractive"
    command: tuple[str, ...] = ()
    timeout_seconds: int = 120
    repeat_window_seconds: int = 60
    daily_token_cap: int = 200_000
    compile_interval_minutes: int = 60
    flush_on_hook: bool = False
    notes: bool = True
    minimum_tokens_to_init: int = 10_000
    minimum_tokens_between_update: int = 5_000
    tool_calls_between_updates: int = 3
    notes_template: Path | None = None


class Flushed(msgspec.Struct, frozen=True):
    """What became of one flush; `daily` is the log that it went to, `reason` why it did not."""

    session: str
    action: FlushAction
    daily: str | None = None
    reason: str = ""


class SpoolLine(msgspec.Struct, frozen=True):
    """One event that an agent's hook reported: which session, where its log is, when (ms)."""

    flavor: str
    session: str
    path: str
    event: str
    at: int
