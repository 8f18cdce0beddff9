"""Candidates: signals of many sessions grouped into what recurs, and their ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.signal import Profile, Signal, SignalName

CandidateKind = Literal["problem", "success"]
CandidateState = Literal["new", "ongoing", "escalating", "regressed", "quiet"]
VerdictName = Literal["open", "discussed", "approved", "rejected", "snoozed", "merged"]


class Counted(NamedTuple):
    """A session as detection counts it: a child counts as its root, and shares its gate."""

    key: int
    id: str
    root: str
    flavor: str
    repo: str
    branch: str
    first_ts: int
    last_ts: int
    gate: str | None


class Gated(NamedTuple):
    """A session as the quality gate needs it."""

    key: int
    id: str
    parent: str | None
    flavor: str
    repo: str | None
    branch: str | None
    first_ts: int | None
    last_ts: int | None
    events: int
    profile: Profile


class Sighting(NamedTuple):
    """The signals of one bucket that one session has."""

    session: Counted
    signals: list[Signal]


class Evidence(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The place of an occurrence, by the fingerprint of its event."""

    session: str
    fingerprint: int
    ts: int | None


class Member(msgspec.Struct, array_like=True, gc=False):
    """A session of a candidate: how often it happened there, when, and what it cost."""

    flavor: str
    repo: str
    count: int = 0
    first_ts: int | None = None
    last_ts: int | None = None
    chars: int = 0
    ms: int = 0


class Candidate(msgspec.Struct, gc=False):
    """What recurs, as it is stored; what depends on all sessions is added on reading.

    `signals` counts the sessions by signal. `aliases` are ids that parts of it once had, or would
    have alone. `resolves` is the problem that a success overcomes, `remedy` the success that
    overcomes a problem.
    """

    id: str
    kind: CandidateKind
    signal: SignalName
    signals: dict[str, int]
    tool_class: str
    error_class: str
    subject: str
    title: str
    members: dict[str, Member]
    evidence: list[Evidence]
    templates: list[str] = []
    aliases: list[str] = []
    resolves: str = ""
    remedy: str = ""
    remedy_text: str = ""
    ways: dict[str, int] = {}


class Brief(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The figures of a candidate that a list needs, stored beside it.

    `flavors` and `repos` count its sessions; `weeks` are those in which they began, in order. One
    repository is at most half of `counted_sessions`. The medians are the cost of an occurrence.
    """

    id: str
    kind: CandidateKind
    title: str
    error_class: str
    sessions: int
    frequency: int
    flavors: dict[str, int]
    repos: dict[str, int]
    counted_sessions: float
    median_tokens: float
    median_minutes: float
    cost_impact: int
    first_ts: int | None
    last_ts: int | None
    weeks: list[int]
    aliases: list[str] = []
    resolves: str = ""

    @property
    def is_cross_flavor(self) -> bool:
        """Whether more than one agent has it."""
        return len(self.flavors) > 1

    @property
    def is_cross_flavor_firm(self) -> bool:
        """Whether more than one agent has it in more than one session."""
        return len(self.flavors) > 1 and sum(1 for n in self.flavors.values() if n > 1) > 1


class Rate(NamedTuple):
    """How many of the eligible sessions have it."""

    having: int
    eligible: int


class ScoreParts(NamedTuple):
    """The factors of a score, in the order of the calculation."""

    sessions: int
    counted_sessions: float
    eligible: int
    rate_low: float
    median_tokens: float
    median_minutes: float
    waste: float


class Ranked(msgspec.Struct, gc=False, frozen=True):
    """A candidate with its figures among all sessions."""

    candidate: Candidate
    brief: Brief
    flavors: dict[str, Rate]
    repos: dict[str, Rate]
    score: float
    parts: ScoreParts
    trend: list[int]
    state: CandidateState
    remedy: Remedy | None = None

    @property
    def frequency(self) -> int:
        """How often it happened."""
        return self.brief.frequency

    @property
    def is_cross_flavor(self) -> bool:
        """Whether more than one agent has it."""
        return self.brief.is_cross_flavor

    @property
    def is_cross_flavor_firm(self) -> bool:
        """Whether more than one agent has it in more than one session."""
        return self.brief.is_cross_flavor_firm

    @property
    def cost_impact(self) -> int:
        """The tokens that all occurrences cost."""
        return self.brief.cost_impact

    @property
    def first_ts(self) -> int | None:
        """When it was first seen."""
        return self.brief.first_ts

    @property
    def last_ts(self) -> int | None:
        """When it was last seen."""
        return self.brief.last_ts


class Remedy(NamedTuple):
    """What overcame a problem, and in how many of its sessions; `ways` counts them by verb."""

    id: str
    title: str
    verb: str
    text: str
    sessions: int
    ways: Mapping[str, int] = {}


class CandidateFilter(NamedTuple):
    """Which candidates a list shows; counts never depend on it."""

    min_frequency: int = 0
    flavor: str | None = None
    repo: str | None = None
    since_ts: int | None = None
    is_all: bool = False


class Dropped(NamedTuple):
    """A session that does not count, and why."""

    id: str
    flavor: str
    repo: str | None
    last_ts: int | None
    events: int
    gate: str
    reason: str
