"""The digest: what stays of a session without its raw bytes; texts are redacted and bounded."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

Ended = Literal[
    "reply",
    "question",
    "prompt",
    "tool_call",
    "tool_result",
    "tool_error",
    "refused",
    "interrupted",
    "api_error",
    "compaction",
]
RunState = Literal["passed", "failed", "unknown"]
OutcomeName = Literal["success", "partial", "failed", "abandoned", "unknown"]
OUTCOMES: tuple[OutcomeName, ...] = ("success", "partial", "failed", "abandoned", "unknown")
# The row of a bounded table that sums up what it has no room for, so that totals stay true.
REST = ""
OTHER_CODE = -1


class ToolTally(msgspec.Struct, array_like=True, gc=False):
    """How often a tool was called, and how many of its results were flagged as errors."""

    calls: int = 0
    errors: int = 0


class CommandTally(msgspec.Struct, array_like=True, gc=False):
    """The runs of one shell command; a duration is measured from the call to its result."""

    runs: int = 0
    failures: int = 0
    exit_codes: dict[int, int] = {}
    timed: int = 0
    total_ms: int = 0
    longest_ms: int = 0


class FileTally(msgspec.Struct, array_like=True, gc=False):
    """How often a file was read and edited."""

    reads: int = 0
    edits: int = 0


class ErrorFact(msgspec.Struct, array_like=True, gc=False):
    """One failed call: the line that names the error, what was tried, and what came next.

    `is_planned` marks a check that was meant to fail.
    """

    fingerprint: int
    ts: int | None
    tool: str
    exit_code: int | None
    group: str
    line: str
    text: str
    call: str
    after: list[str]
    is_planned: bool = False


class ErrorGroup(msgspec.Struct, array_like=True, gc=False):
    """All failed calls of one signature, and their cost until each was overcome or given up.

    The line is redacted but not masked, so that it can be regrouped without its raw bytes. The
    fingerprint is that of the first, for which `errors` may have no room.
    """

    line: str
    tool_class: str
    exit_code: int | None
    command: str
    count: int = 0
    first_ts: int | None = None
    last_ts: int | None = None
    chars: int = 0
    ms: int = 0
    fingerprint: int = 0


class Recovery(msgspec.Struct, array_like=True, gc=False):
    """An error, what was changed, and what then passed; `verb` is the change in one word."""

    fingerprint: int
    ts: int | None
    group: str
    verb: str
    remedy: str
    passed: str
    count: int = 1


class Moment(msgspec.Struct, array_like=True, gc=False):
    """Something worth citing, by the fingerprint of its event; `count` is how often in a row.

    `about` is what it is grouped by: a program, a tool or an error's group. `chars` and `ms` are
    its cost.
    """

    fingerprint: int
    ts: int | None
    text: str
    count: int = 1
    about: str = ""
    before: str = ""
    after: list[str] = []
    chars: int = 0
    ms: int = 0


class RunFact(msgspec.Struct, array_like=True, gc=False):
    """One run of a check, a commit or a push, by the fingerprint of its result.

    `runner` is whose lines were read, `reason` the line or status that decided; counts are those
    that it printed.
    """

    fingerprint: int
    ts: int | None
    name: str
    state: RunState
    passed: int | None = None
    failed: int | None = None
    kind: str = ""
    runner: str = ""
    reason: str = ""


class CheckFact(msgspec.Struct, array_like=True, gc=False):
    """The last state of one check that is known; unknown only where nothing else ever was."""

    state: RunState
    ts: int | None
    fingerprint: int = 0


class Facts(msgspec.Struct, gc=False):
    """What can be counted and cited of a session, or of one part of it."""

    first_ts: int | None = None
    last_ts: int | None = None
    active_ms: int = 0
    prompts: int = 0
    first_prompt: str = ""
    last_prompt: str = ""
    replies: int = 0
    last_reply: str = ""
    tools: dict[str, ToolTally] = {}
    commands: dict[str, CommandTally] = {}
    files: dict[str, FileTally] = {}
    errors: list[ErrorFact] = []
    error_groups: dict[str, int] = {}
    refusals: int = 0
    cascades: int = 0
    timeouts: int = 0
    benign_exits: int = 0
    retries: int = 0
    loops: list[Moment] = []
    corrections: list[Moment] = []
    correction_count: int = 0
    interruptions: int = 0
    api_errors: int = 0
    compactions: int = 0
    checks_passed: int = 0
    checks_failed: int = 0
    last_check: str = ""
    last_check_passed: bool | None = None
    edits_since_check: int = 0
    calls_since_prompt: int = 0
    checks_since_prompt: int = 0
    commits: int = 0
    ended: Ended | None = None
    ended_text: str = ""
    groups: dict[str, ErrorGroup] = {}
    last_group: str = ""
    recoveries: list[Recovery] = []
    fixes: list[Moment] = []
    false_claims: list[Moment] = []
    persistences: list[Moment] = []
    first_passes: dict[str, Moment] = {}
    kept: list[Moment] = []
    reverts: int = 0
    interrupted: list[Moment] = []
    compacted: list[Moment] = []
    api_failures: list[Moment] = []
    reactions: list[Moment] = []
    slow: list[Moment] = []
    last_reply_fingerprint: int = 0
    policy_refusals: int = 0
    planned_reds: int = 0
    useful_calls: int = 0
    tasks: int = 0
    # Every run of a check, a commit or a push; the last ones where there are too many.
    runs: list[RunFact] = []
    checks: dict[str, CheckFact] = {}
    # Calls that failed by what they printed or returned, whether the agent says so or not.
    failures: int = 0
    # What harnesses refused in words, inside a success.
    refused_in_words: list[Moment] = []
    unknown_wordings: int = 0


class Verdict(NamedTuple):
    """How a session ended, which is a fact, and how it probably went, which is an inference."""

    ended: Ended | None
    outcome: OutcomeName
    confidence: float | None
    reason: str | None


class Digest(msgspec.Struct, frozen=True, gc=False):
    """A session's facts and the verdict on them; inexact where raw bytes went too early."""

    facts: Facts
    verdict: Verdict
    is_exact: bool
    extractor: int
