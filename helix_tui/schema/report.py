"""What a report is made of, and what it says: plain rows, each with the sessions behind it."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from helix_tui.schema.digest import RunState
from helix_tui.schema.session import Cost


class Spent(NamedTuple):
    """The tokens of one session, day and model; ticks and unpriced tokens by the prices in force.

    `day` counts from 1970, UTC. `is_known` is whether any of its messages has a price.
    """

    session: str
    day: int
    model: str
    input: int
    output: int
    cache_read: int
    cache_write: int
    reasoning: int
    ticks: int
    unpriced: int
    is_known: bool


class CheckRun(NamedTuple):
    """One run of a check, in the order of its session."""

    name: str
    kind: str
    state: RunState
    ts: int | None


class WorkedSession(msgspec.Struct, frozen=True, gc=False):
    """A session as a report counts it; None where no digest tells."""

    id: str
    title: str
    flavor: str
    repo: str
    model: str
    outcome: str
    last_ts: int | None
    calls: int
    failures: int | None
    corrections: int | None
    runs: tuple[CheckRun, ...] = ()


class Wasting(NamedTuple):
    """A candidate with what it cost, among the sessions of a report."""

    id: str
    title: str
    verdict: str
    tier: str
    frequency: int
    tokens: int
    sessions: tuple[str, ...]
    excerpt: str = ""


class TaughtPattern(NamedTuple):
    """A pattern of the catalog: since when, how it stands, and what it was seen in."""

    id: str
    title: str
    version: str
    status: str
    is_ready: bool
    at: str
    sessions: int
    repos: tuple[str, ...]


class Period(msgspec.Struct, frozen=True):
    """Which days and which repository a report is of; both days count, None is open."""

    since_day: int | None = None
    until_day: int | None = None
    repo: str | None = None

    def has_day(self, day: int) -> bool:
        """Whether a day is in it."""
        return (self.since_day is None or day >= self.since_day) and (
            self.until_day is None or day <= self.until_day
        )


class Gathered(NamedTuple):
    """All that a report is computed from."""

    period: Period
    sessions: list[WorkedSession]
    spent: list[Spent]
    wasting: list[Wasting]
    taught: list[TaughtPattern]


class CostRow(msgspec.Struct, frozen=True):
    """Tokens and cost of one week, repository, agent or model, and its share of the cost."""

    key: str
    cost: Cost
    share: float | None
    sessions: list[str]


class OutcomeRow(msgspec.Struct, frozen=True):
    """The sessions that probably went so."""

    key: str
    cost: Cost
    share: float
    sessions: list[str]


class CheckRow(msgspec.Struct, frozen=True):
    """One check: its runs, how often it went red and green again, and how long that took.

    `reds` counts the times that it failed after it had passed, or at first; `greens` those that a
    pass followed in the same session. The medians are of these: seconds, and runs it took.
    """

    key: str
    kind: str
    runs: int
    passed: int
    failed: int
    unknown: int
    reds: int
    greens: int
    median_seconds: float | None
    median_runs: float | None
    sessions: list[str]


class RateRow(msgspec.Struct, frozen=True):
    """Failed calls and corrections of one agent or model, among calls whose results are known."""

    key: str
    by: Literal["agent", "model"]
    calls: int
    failures: int
    corrections: int
    sessions: list[str]

    def per_100(self, count: int) -> float | None:
        """A count among a hundred calls."""
        return round(100 * count / self.calls, 2) if self.calls else None


class DearRow(msgspec.Struct, frozen=True):
    """One of the dearest sessions; the cost is that of the report's days."""

    key: str
    title: str
    repo: str
    flavor: str
    outcome: str
    last_ts: int | None
    cost: Cost


class Report(msgspec.Struct, frozen=True):
    """Where the work and the waste went."""

    period: Period
    first_day: int | None
    last_day: int | None
    total: CostRow
    weeks: list[CostRow]
    repos: list[CostRow]
    agents: list[CostRow]
    models: list[CostRow]
    outcomes: list[OutcomeRow]
    checks: list[CheckRow]
    corrections: list[RateRow]
    waste: list[Wasting]
    sessions: list[DearRow]
    taught: list[TaughtPattern]
