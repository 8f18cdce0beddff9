"""Sessions and figures about them, as reads of the store return them."""

from __future__ import annotations

from typing import Literal

import msgspec

from helix_tui.schema.digest import CheckFact

RawState = Literal["full", "partial", "evicted"]
RAW_STATES: tuple[RawState, ...] = ("full", "partial", "evicted")


class Cost(msgspec.Struct, frozen=True):
    """Tokens and their cost; counts are disjoint, but `output` includes `reasoning`.

    `usd` is None unless the price of every token is known; `usd_priced` is the priced part.
    """

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    usd: float | None = None
    usd_priced: float | None = None
    unpriced_tokens: int = 0


class Instructions(msgspec.Struct, frozen=True, gc=False):
    """What a log records of the instructions that its agent was given.

    `hash` is that of the text, or of the hashes of all where there are several; `bytes` and `texts`
    are of all. `cut` is the byte at which the agent cut one of them.
    """

    state: Literal["recorded", "none", "unknown"] = "unknown"
    hash: str | None = None
    bytes: int | None = None
    cut: int | None = None
    texts: int = 0


UNKNOWN_INSTRUCTIONS = Instructions()


class Session(msgspec.Struct, frozen=True):
    """One normalized session."""

    id: str
    flavor: str
    native_id: str
    parent: str | None
    repo: str | None
    cwd: str | None
    branch: str | None
    model: str | None
    first_ts: int | None
    last_ts: int | None
    events: int
    prompts: int
    tool_calls: int
    tool_errors: int
    compactions: int
    raw_bytes: int
    raw: RawState
    ended: str | None
    outcome: str
    outcome_confidence: float | None
    outcome_reason: str | None
    is_analyzed: bool
    gate: str | None
    is_pinned: bool
    cost: Cost
    # What calls failed, and how each check ended; None where no digest tells.
    failures: int | None = None
    checks: dict[str, CheckFact] | None = None
    # What it is called, and the session whose conversation it belongs to.
    title: str | None = None
    conversation: str | None = None
    left_open: list[str] | None = None
    instructions: Instructions = UNKNOWN_INSTRUCTIONS
    # The agent's own version as the session began; None where its log records none.
    agent_version: str | None = None


class SessionFilter(msgspec.Struct, frozen=True):
    """Which sessions a list shows; `most` leaves out the older ones."""

    flavor: str | None = None
    repo: str | None = None
    since_ts: int | None = None
    outcome: str | None = None
    most: int | None = None
    until_ts: int | None = None


class UsageFilter(msgspec.Struct, frozen=True):
    """Which tokens are summed up; whole days, counted from 1970 UTC."""

    flavor: str | None = None
    repo: str | None = None
    since_day: int | None = None
    until_day: int | None = None


class UsageRow(msgspec.Struct, frozen=True):
    """Tokens summed under one key."""

    key: str
    sessions: int
    cost: Cost


class SweepSummary(msgspec.Struct, frozen=True):
    """How the last sweep ended."""

    started_ts: int
    seconds: float
    discovered: int
    ingested: int
    skipped_unchanged: int
    bytes_read: int
    new_problems: int
    is_complete: bool
    analyzed: int
    evicted: int
    raw_usage: int
    distilled_usage: int


class DoctorCheck(msgspec.Struct, frozen=True):
    """The result of one check of doctor; `todo` says what to do where it failed."""

    name: str
    is_ok: bool
    detail: str
    todo: str = ""
