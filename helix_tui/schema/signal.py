"""Signals: things that happened in one session and may recur in others."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.digest import CheckFact, Verdict

SignalName = Literal[
    "tool_error",
    "env_missing",
    "edit_mismatch",
    "permission",
    "permission_policy",
    "repeated_error",
    "retry_loop",
    "edit_test_fix",
    "user_correction",
    "user_reaction",
    "error_persistence",
    "interruption",
    "compaction",
    "api_error",
    "abandoned",
    "slow_command",
    "false_claim",
    "recovery",
    "first_pass",
    "kept_work",
]


class Signal(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """One thing that happened in a session, with the fields it is grouped by and its cost.

    An error has its class and subject, or its template where no class is known. `verb` is what
    overcame it, `text` what a person reads, `before` what went before it; `values` are the
    milliseconds that runs of a command took.
    """

    name: SignalName
    tool_class: str = ""
    error_class: str = ""
    subject: str = ""
    template: str = ""
    count: int = 1
    first_ts: int | None = None
    last_ts: int | None = None
    chars: int = 0
    ms: int = 0
    fingerprints: list[int] = []
    text: str = ""
    before: str = ""
    verb: str = ""
    values: list[int] = []


class Profile(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """What lists and the quality gate ask of a session, without reading its digest.

    Failures and checks are None where an older extractor made it.
    """

    prompts: int = 0
    tasks: int = 0
    useful_calls: int = 0
    interruptions: int = 0
    is_open: bool = False
    failures: int | None = None
    checks: dict[str, CheckFact] | None = None


class Judged(NamedTuple):
    """What follows from a session's folds: verdict, profile, and signals by bucket."""

    verdict: Verdict
    profile: Profile
    signals: dict[int, list[Signal]]
