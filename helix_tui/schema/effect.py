"""Whether a pattern helped: the sessions that are counted, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.context import ExposureState

EffectState = Literal["helped", "no_change", "worse", "too_few", "not_seen", "regressed"]
# How it is known when a rule came in.
Origin = Literal["ledger", "git", "given"]
EffectWarningKind = Literal[
    "split", "rare", "none_before", "unknown", "unseen", "control_fell", "many",
    "assumed",
]  # fmt: skip


class Watched(NamedTuple):
    """A session in a pattern's scope: whether what it forbids was possible there, and happened.

    `group` is who worked, and where that matters in which repository: `codex`. A session counts
    once, however often it happened in it.
    """

    ts: int
    group: str
    exposure: ExposureState
    could: bool = True
    did: bool = False


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
    none can come.
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
