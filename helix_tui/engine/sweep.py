"""One sweep: discover, read what changed, commit it, say what happened."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from helix_tui.capture.repo import repo_of
from helix_tui.config import Config
from helix_tui.engine.discovery import Found, find_changes
from helix_tui.engine.pool import new_bytes, read_units
from helix_tui.events import (
    ProblemFound,
    Progress,
    SweepEvent,
    SweepFinished,
    SweepReport,
    SweepStarted,
    UnitIngested,
)
from helix_tui.schema import Problem, SweepSummary, UnitBatch
from helix_tui.store import queries
from helix_tui.store.database import reading, writing
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
from helix_tui.store.upkeep import clear_leftovers
from helix_tui.store.writer import Committed, StoreWriter

LISTED_PROBLEMS = 100


@dataclass(slots=True)
class _Tally:
    """What has been read and committed so far."""

    units_done: int = 0
    bytes_done: int = 0
    bytes_read: int = 0
    ingested: set[tuple[str, str]] = field(default_factory=set)
    new_problems: list[Problem] = field(default_factory=list)
    new_problem_count: int = 0

    def progress(self, batch: UnitBatch, units_total: int, bytes_total: int) -> Progress:
        self.units_done += batch.is_last
        self.bytes_done += batch.bytes_read
        return Progress(self.units_done, units_total, self.bytes_done, bytes_total)

    def note_problems(self, problems: list[Problem]) -> None:
        self.new_problem_count += len(problems)
        room = LISTED_PROBLEMS - len(self.new_problems)
        self.new_problems.extend(problems[: max(0, room)])


def run_sweep(
    config: Config, layout: StoreLayout, is_dry_run: bool, cancelled: Callable[[], bool]
) -> Iterator[SweepEvent]:
    """The sweep's events; a dry run reads everything and creates nothing."""
    if is_dry_run:
        yield from _dry_sweep(config, layout, cancelled)
        return
    started = time.monotonic()
    started_ts = int(time.time() * 1000)
    with writer_lock(layout), writing(layout) as database:
        clear_leftovers(database, layout)
        found = find_changes(config, database)
        tasks = found.tasks
        bytes_total = sum(map(new_bytes, tasks))
        yield SweepStarted(found.discovered, len(tasks), bytes_total)
        tally = _Tally()
        writer = StoreWriter(database, layout, repo_of)
        for batch in read_units(tasks, config.workers, cancelled):
            yield tally.progress(batch, len(tasks), bytes_total)
            yield from _committed(writer.add(batch), tally, found)
        yield from _committed(writer.flush(), tally, found)
        for flavor in found.flavors.values():
            flavor.mark_folders(database)
        writer.close()
        is_complete = not cancelled()
        if is_complete:
            new = writer.finish(found.problems)
            tally.note_problems(new)
            yield from map(ProblemFound, new)
        report = _report(found, tally, started, queries.count_problems(database), False)
        queries.record_sweep(database, _summary(report, started_ts, is_complete))
    yield SweepFinished(report)


def _dry_sweep(
    config: Config, layout: StoreLayout, cancelled: Callable[[], bool]
) -> Iterator[SweepEvent]:
    """Reads what a sweep would read and forgets it; the store, if there is one, is only read."""
    started = time.monotonic()
    with reading(layout, leaves_no_trace=True) as database:
        found = find_changes(config, database)
        tasks = found.tasks
        bytes_total = sum(map(new_bytes, tasks))
        yield SweepStarted(found.discovered, len(tasks), bytes_total)
        known = set(queries.list_problems(database, -1)) if database else set()
        tally = _Tally()
        tally.note_problems([problem for problem in found.problems if problem not in known])
        for batch in read_units(tasks, 0, cancelled):
            new = [problem for problem in batch.problems if problem not in known]
            is_news = any(patch.frame or patch.usage for patch in batch.patches)
            yield tally.progress(batch, len(tasks), bytes_total)
            yield from _committed([Committed(batch, is_news, new)], tally, found)
    yield SweepFinished(_report(found, tally, started, len(known) + tally.new_problem_count, True))


def _committed(committed: list[Committed], tally: _Tally, found: Found) -> Iterator[SweepEvent]:
    for done in committed:
        batch = done.batch
        if batch.cursor is not None and batch.cursor.stamp is not None:
            found.flavors[batch.flavor].captured[batch.path] = batch.cursor.stamp
        tally.bytes_read += batch.bytes_read
        tally.note_problems(done.new_problems)
        if done.is_news:
            tally.ingested.add((batch.flavor, batch.unit))
        if batch.is_last and (batch.flavor, batch.unit) in tally.ingested:
            yield UnitIngested(batch.flavor, batch.path)
        yield from map(ProblemFound, done.new_problems)


def _report(
    found: Found, tally: _Tally, started: float, problems: int, is_dry_run: bool
) -> SweepReport:
    return SweepReport(
        discovered=found.discovered,
        ingested=len(tally.ingested),
        skipped_unchanged=found.discovered - len(found.tasks),
        bytes_read=tally.bytes_read,
        seconds=round(time.monotonic() - started, 3),
        is_dry_run=is_dry_run,
        new_problems=tally.new_problem_count,
        known_problems=problems - tally.new_problem_count,
        listed_problems=tally.new_problems,
    )


def _summary(report: SweepReport, started_ts: int, is_complete: bool) -> SweepSummary:
    return SweepSummary(
        started_ts,
        report.seconds,
        report.discovered,
        report.ingested,
        report.skipped_unchanged,
        report.bytes_read,
        report.new_problems,
        is_complete,
    )
