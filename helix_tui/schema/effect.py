"""Whether a pattern helped: the sessions that are counted, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.context import ExposureState

EffectState = Literal["helped", "no_change", "worse", "too_few", "not_seen", "regressed"]
# What needs a person first.
ORDER: tuple[EffectState, ...] = (
    "worse", "regressed", "no_change", "not_seen", "too_few", "helped",
)  # fmt: skip
# How it is known when a rule came in.
Origin = Literal["ledger", "git", "given"]
EffectWarningKind = Literal[
    "split", "rare", "none_before", "unknown", "unseen", "control_fell", "many",
    "assumed", "model", "agent_version", "unloaded",
]  # fmt: skip
# What a session counts as: `left_out` is neither, as when nobody knows whether it saw the rule.
SessionPart = Literal["before", "after", "control_before", "control_after", "left_out"]
# A rule came in, got other words, went out, or came in again with the words that it had.
MomentKind = Literal["in", "words", "out", "again"]
# What a measurement suggests to a person: another rung, to retire it, to make it be loaded, to take
# it out for a while and put it back.
StepKind = Literal["rung", "retire", "load", "experiment"]


class Watched(NamedTuple):
    """A session in a pattern's scope: whether what it forbids was possible there, and happened.

    `group` is who worked, and where that matters in which repository: `codex`, `codex in shop`. A
    session counts once, however often it happened in it.
    """

    ts: int
    group: str
    exposure: ExposureState
    could: bool = True
    did: bool = False
    # Where a rule came in at several times: whether it was in; else the case's time decides.
    is_later: bool | None = None
    model: str = ""
    agent_version: str = ""


class Peer(NamedTuple):
    """A candidate's sessions before anything was taught: all of them, and every other one.

    `odd_…` are the first session, the third and so on, of those with an opportunity.
    """

    did: int
    could: int
    odd_did: int = 0
    odd_could: int = 0


class Case(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A pattern to be measured, with every session of its scope, before and after.

    `peers` are all candidates of the same sort of two conversations or more, this one among them,
    and `picked` how many of them were approved. Without peers nothing was selected, as with a rule
    that was written before anybody counted.
    """

    id: str
    version: str
    since: int
    how: Origin
    sessions: Sequence[Watched]
    peers: Sequence[Peer] = ()
    picked: int = 1


class Rate(msgspec.Struct, frozen=True, gc=False):
    """In how many sessions it happened of those in which it could, with its exact 95 % interval."""

    did: int = msgspec.field(name="with")
    opportunities: int
    rate: float | None
    low: float
    high: float


class Baseline(NamedTuple):
    """The rate before, corrected for selection, as counts that a test can take.

    `lower` and `upper` are the rate in whole sessions of `of`, rounded down and up: each side of
    the test takes the one that makes its claim harder.
    """

    rate: float | None
    lower: int
    upper: int
    of: int
    method: Literal["raw", "shrunk", "split", "lower_half"]


class Difference(msgspec.Struct, frozen=True, gc=False):
    """How much more the rate changed than that of the control, with its 95 % interval."""

    change: float
    low: float
    high: float


class ExposureCounts(msgspec.Struct, frozen=True, gc=False):
    """Later sessions with an opportunity: seen by record, seen by assumption, not known, not seen.

    Those not seen are of agents that did load it in other sessions.
    """

    observed: int = 0
    assumed: int = 0
    unknown: int = 0
    unseen: int = 0


class Week(msgspec.Struct, frozen=True, gc=False):
    """The sessions of one week, named by its Monday, that could and did."""

    week: str
    did: int = msgspec.field(name="with")
    opportunities: int


class EffectWarning(msgspec.Struct, frozen=True, gc=False):
    """What a reader should know before believing a verdict."""

    kind: EffectWarningKind
    message: str


class Effect(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The verdict of one pattern, with all that it rests on.

    `baseline` is the rate before, corrected for selection, from `baseline_low` to `baseline_high`.
    `p` is the smallest of the looks so far, on the side of the verdict; `q` counts in all looks and
    all patterns. `lower` and `higher` are both sides' p. `chance` is P(after < before). `needed` is
    how many more sessions with an opportunity a verdict takes; None where there is one, or where
    none can come. `decided_at` is when the session began with which the verdict fell.
    """

    id: str
    version: str
    since: int
    how: Origin
    state: EffectState
    before: Rate
    baseline: float | None
    baseline_low: float
    baseline_high: float
    baseline_method: str
    sessions: int
    after: Rate
    control: Rate | None
    control_before: Rate | None
    control_groups: list[str]
    difference: Difference | None
    p: float | None
    q: float | None
    lower: float | None
    higher: float | None
    chance: float | None
    needed: int | None
    exposure: ExposureCounts
    weeks: list[Week]
    warnings: list[EffectWarning]
    sentence: str = ""
    decided_at: int | None = None


class EffectMoment(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Something that became of a rule at a time, in milliseconds, with the files concerned."""

    at: int
    kind: MomentKind
    version: str
    agents: list[str]
    files: list[str]


class EffectSession(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A session in which it could have happened: what it counts as, and whether it did.

    `session` is the id of the conversation's first session, `week` its Monday. `proof` is why it
    is known or assumed what it saw.
    """

    session: str
    at: int
    week: str
    agent: str
    repo: str
    did: bool = msgspec.field(name="with")
    part: SessionPart
    exposure: ExposureState
    proof: str


class EffectPoint(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A week of a plot: exposed sessions of `before` and `after`, or those of the control.

    `low` and `high` are the exact 95 % interval of `rate`; `sessions` are the ids behind it, those
    in which it happened first.
    """

    week: str
    is_control: bool
    did: int = msgspec.field(name="with")
    opportunities: int
    rate: float
    low: float
    high: float
    sessions: list[str]


class EffectPeriod(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A time in which a rule was in with the same words, or out; the last has no end."""

    since: int | None
    until: int | None
    is_in: bool
    version: str
    rate: Rate


class Experiment(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The times with and without a rule since it first came in, where it went out and in again."""

    with_rule: Rate
    without_rule: Rate
    p: float


class AgentEffect(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One agent's sessions alone."""

    agent: str
    state: EffectState
    before: Rate
    after: Rate
    needed: int | None
    exposure: ExposureCounts
    sentence: str


class EffectStep(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a person may do about it: in words, and as a command where there is one."""

    kind: StepKind
    text: str
    command: str
    rung: str = ""


class Measured(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A pattern (or a rule that a person wrote) with its verdict and all that a person asks of it.

    `effect` is the verdict by itself and among the others: state, both rates with intervals,
    control, p, q, needed, weeks, warnings and the plain `sentence`. `id` is the pattern's, or the
    candidate's where none is measured; `candidates` are what counts as happening; `opportunity`
    says in words which sessions could. `moments` are in order of time. `points`, `sessions`,
    `agents` and `periods` are filled where one pattern is asked for, and empty in a list of all.
    `step` is what to do next, if anything. `fired` counts the sessions in which a guard answered.
    """

    id: str
    title: str
    rule: str
    rung: str
    candidates: list[str]
    opportunity: str
    effect: Effect
    moments: list[EffectMoment]
    points: list[EffectPoint] = []
    sessions: list[EffectSession] = []
    agents: list[AgentEffect] = []
    periods: list[EffectPeriod] = []
    experiment: Experiment | None = None
    step: EffectStep | None = None
    fired: int = 0


class Returned(NamedTuple):
    """What was taught and did not help: why it is on the review list again, and since when."""

    pattern: str
    state: EffectState
    reason: str
    decided_at: int


class Unmeasured(NamedTuple):
    """A pattern that was taught and cannot be measured, and why."""

    id: str
    title: str
    reason: str


class EffectFilter(NamedTuple):
    """What is measured: sessions of a repository, of an agent, from a time on.

    `at` is when a person says that it came in; `rule` a line that a person wrote, by file and line.
    With `repos` only sessions of these.
    """

    repo: str | None = None
    agent: str | None = None
    since_ts: int | None = None
    at: int | None = None
    rule: tuple[str, int] | None = None
    repos: frozenset[str] | None = None


class EffectReport(NamedTuple):
    """All patterns that were taught: those measured, what needs a person first; and the others."""

    measured: list[Measured]
    unmeasured: list[Unmeasured]
    stale: str = ""
