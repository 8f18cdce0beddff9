"""The typed events that long jobs stream to whoever drives them."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from helix_tui.schema import Eviction, Problem, RetentionReport


class SweepStarted(msgspec.Struct, frozen=True):
    """Discovery is over: how much there is, and how much of it changed."""

    discovered: int
    changed_units: int
    changed_bytes: int


class UnitIngested(msgspec.Struct, frozen=True):
    """A unit was read to its end and gave something new."""

    flavor: str
    path: str


class Progress(msgspec.Struct, frozen=True):
    """How far the sweep has read, in units and in bytes."""

    units_done: int
    units_total: int
    bytes_done: int
    bytes_total: int


class DigestsMade(msgspec.Struct, frozen=True):
    """How many digests of stored sessions were made again, as a new version wants them."""

    sessions_done: int
    sessions_total: int


class CandidatesGrouped(msgspec.Struct, frozen=True):
    """Everything in the store so far was grouped; the sweep goes on."""

    total: int


class ProblemFound(msgspec.Struct, frozen=True):
    """Something new in the sources could not be read."""

    problem: Problem


class SessionEvicted(msgspec.Struct, frozen=True):
    """A session's raw bytes are gone; its digest remains."""

    eviction: Eviction


class CandidateCounts(NamedTuple):
    """What grouping changed among the candidates above the floors."""

    new: int = 0
    changed: int = 0
    total: int = 0


class SweepReport(msgspec.Struct, frozen=True):
    """The result of a sweep; its fields are the sweep's JSON.

    `queued_decisions` is None where the queue for the hub cannot be read; `taken_over` counts
    events that only packs which no row owned still had.
    """

    discovered: int
    ingested: int
    skipped_unchanged: int
    bytes_read: int
    seconds: float
    is_dry_run: bool
    new_problems: int
    known_problems: int
    listed_problems: list[Problem]
    analyzed: int
    search_pending: int
    retention: RetentionReport
    candidates: CandidateCounts
    queued_decisions: int | None
    stages: dict[str, float]
    taken_over: int = 0


class SweepFinished(msgspec.Struct, frozen=True):
    """The sweep is over and everything it read is in the store."""

    report: SweepReport


SweepEvent = (
    SweepStarted
    | UnitIngested
    | Progress
    | DigestsMade
    | CandidatesGrouped
    | ProblemFound
    | SessionEvicted
    | SweepFinished
)
