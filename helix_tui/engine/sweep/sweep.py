"""Run one sweep: discover, read what changed, commit it, analyze, retain, report."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import msgspec

from helix_tui.capture.repo import repo_of
from helix_tui.config import Config
from helix_tui.digest.extractor import EXTRACTOR, FIRST_WITH_TITLES
from helix_tui.engine.candidates.grouping import (
    EarlyGrouping,
    await_signals,
    count_listed,
    group_changes,
)
from helix_tui.engine.context.told_due import is_told_due
from helix_tui.engine.sweep.discovery import Discovery, find_changes
from helix_tui.engine.sweep.retention import plan_retention, preview, retain
from helix_tui.engine.sweep.runners import use_runners, with_runners
from helix_tui.engine.sweep.settled_marker import queued_decisions
from helix_tui.errors import HelixError, InterruptedJobError, OutOfSpaceError, StoreError
from helix_tui.events import (
    CandidateCounts,
    CandidatesGrouped,
    DigestsMade,
    ProblemFound,
    Progress,
    SweepEvent,
    SweepFinished,
    SweepReport,
    SweepStarted,
    UnitIngested,
)
from helix_tui.schema import (
    DiskUsage,
    Problem,
    RetentionPlan,
    RetentionReport,
    SweepSummary,
    UnitBatch,
    UnitTask,
)
from helix_tui.store.database import Database, reading, translated, writing
from helix_tui.store.digests.folds import StoredFold, await_extractor, pending_sessions
from helix_tui.store.digests.search_index import count_pending, index_pending
from helix_tui.store.ingest.cursors import count_parts
from helix_tui.store.ingest.problems import count_problems, list_problems
from helix_tui.store.ingest.sweeps import record_sweep
from helix_tui.store.ingest.writer import Committed, StoreWriter
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
from helix_tui.store.packs.settle import settle_packs
from helix_tui.workers.plugins import Plugins

if TYPE_CHECKING:
    from helix_tui.schema.signal import Judged

LISTED_PROBLEMS = 100
STAGES = ("discover", "read", "digest", "store", "analyze", "retain", "group")


class _Tally(msgspec.Struct):
    """What was read and committed so far, and the seconds that each stage took."""

    units_done: int = 0
    bytes_done: int = 0
    bytes_read: int = 0
    ingested: set[tuple[str, str]] = set()
    new_problems: list[Problem] = []
    new_problem_count: int = 0
    analyzed: int = 0
    taken_over: int = 0
    stages: dict[str, float] = msgspec.field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))

    def progress(self, batch: UnitBatch, units_total: int, bytes_total: int) -> Progress:
        self.units_done += batch.is_last
        self.bytes_done += batch.bytes_read
        self.stages["read"] += batch.read_seconds
        self.stages["digest"] += batch.digest_seconds
        # Logs grow while they are read.
        bytes_total = max(bytes_total, self.bytes_done)
        return Progress(self.units_done, units_total, self.bytes_done, bytes_total)

    def note_problems(self, problems: list[Problem]) -> None:
        self.new_problem_count += len(problems)
        room = LISTED_PROBLEMS - len(self.new_problems)
        self.new_problems.extend(problems[: max(0, room)])

    @contextmanager
    def timing(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.stages[stage] += time.perf_counter() - started


class LogSource(Protocol):
    """Where logs come from: this machine's folders, or an archive."""

    def find(self, config: Config, database: Database, plugins: Plugins) -> Discovery:
        """What there is, and tasks for what is new."""

    def read(
        self, tasks: Sequence[UnitTask], workers: int, stop: Callable[[], bool], plugins: Plugins
    ) -> Iterator[UnitBatch]:
        """The batches of all tasks; those of one unit come in order."""


class OwnLogs:
    """The folders in which the agents of this machine leave their logs."""

    def find(self, config: Config, database: Database, plugins: Plugins) -> Discovery:
        """What there is, and tasks for what is new."""
        return find_changes(config, database, plugins)

    def read(
        self, tasks: Sequence[UnitTask], workers: int, stop: Callable[[], bool], plugins: Plugins
    ) -> Iterator[UnitBatch]:
        """The batches of all tasks, read by processes where that pays."""
        from helix_tui.workers.pool import read_units

        return read_units(tasks, workers, stop, plugins)


def run_sweep(
    config: Config,
    layout: StoreLayout,
    is_dry_run: bool,
    cancelled: Callable[[], bool],
    groups_early: bool = False,
    source: LogSource | None = None,
) -> Generator[SweepEvent, None, None]:
    """Run a sweep and yield its events; a dry run reads everything and creates nothing."""
    if is_dry_run:
        yield from _dry_sweep(config, layout, cancelled)
        return
    with writer_lock(layout), writing(layout) as database:
        yield from Sweep(config, layout, database, cancelled, groups_early, source).run()


class Sweep:
    """The stages of one sweep, in their order."""

    def __init__(
        self,
        config: Config,
        layout: StoreLayout,
        database: Database,
        cancelled: Callable[[], bool],
        groups_early: bool = False,
        source: LogSource | None = None,
    ) -> None:
        self._source = source or OwnLogs()
        self._config = config
        self._layout = layout
        self._database = database
        self._cancelled = cancelled
        self._tally = _Tally()
        self._early = EarlyGrouping(config, database) if groups_early else None
        self._no_room: OutOfSpaceError | None = None
        self._ungrouped: StoreError | None = None
        self._vanished: list[Problem] = []
        self._started = time.monotonic()
        self._started_ts = int(time.time() * 1000)

    def run(self) -> Iterator[SweepEvent]:
        """Take in, then retain; a full disk stops only the taking in.

        The search index is updated after the report, so that nobody waits for it.
        """
        discovery = yield from self.take_in()
        tally = self._tally
        retention = yield from self._retain(_reason_to_hold(self._vanished))
        candidates = self._group()
        report = _report(
            discovery,
            tally,
            self._started,
            count_problems(self._database),
            False,
            retention,
            count_pending(self._database.connection()),
            candidates,
            queued_decisions(self._config),
        )
        record_sweep(self._database, _summary(report, self._started_ts, self.is_complete()))
        yield SweepFinished(report)
        if self._no_room is not None:
            raise self._no_room
        if self._ungrouped is not None:
            raise self._ungrouped
        index_pending(self._database, self._layout, self._cancelled)

    def take_in(self) -> Generator[SweepEvent, None, Discovery]:
        """Add what is new and analyze it; return what discovery found."""
        with Plugins(self._config.plugin_seconds, self._cancelled) as plugins:
            return (yield from self._take_in(plugins))

    def _take_in(self, plugins: Plugins) -> Generator[SweepEvent, None, Discovery]:
        tally = self._tally
        use_runners(self._config.runners)
        with tally.timing("discover"):
            settle_packs(self._database, self._layout)
            await_extractor(self._database, EXTRACTOR, FIRST_WITH_TITLES, repo_of)
            await_signals(self._database)
            discovery = self._source.find(self._config, self._database, plugins)
        self._vanished = _vanished(discovery, self._database)
        writer = StoreWriter(self._database, self._layout, repo_of, _judge)
        failed: list[Problem] = []
        try:
            with translated(self._layout):
                yield from self._ingest(discovery, writer, plugins)
                failed = [*self._take_over(writer), *(yield from self._analyze())]
        except OutOfSpaceError as error:
            self._no_room = error
            writer.take_back()
        tally.analyzed += len(writer.analyzed)
        if self.is_complete():
            new = writer.finish([*discovery.problems, *failed, *self._vanished])
            tally.note_problems(new)
            yield from map(ProblemFound, new)
        return discovery

    @property
    def taken_over(self) -> int:
        """The number of events that were found only in packs that no row owned."""
        return self._tally.taken_over

    def trouble(self) -> HelixError:
        """Return the error that says why not everything was taken in."""
        return self._no_room or InterruptedJobError("Stopped before its end.", "Call it again.")

    def is_complete(self) -> bool:
        """Whether everything that was found was taken in."""
        return not self._cancelled() and self._no_room is None

    def _ingest(
        self, discovery: Discovery, writer: StoreWriter, plugins: Plugins
    ) -> Iterator[SweepEvent]:
        tally, tasks = self._tally, with_runners(discovery.tasks, self._config.runners)
        if not tasks:
            yield SweepStarted(discovery.discovered, 0, 0)
            self._mark_folders(discovery)
            return
        from helix_tui.workers.pool import new_bytes

        bytes_total = sum(map(new_bytes, tasks))
        yield SweepStarted(discovery.discovered, len(tasks), bytes_total)
        for batch in self._source.read(tasks, self._config.workers, self._cancelled, plugins):
            yield tally.progress(batch, len(tasks), bytes_total)
            with tally.timing("store"):
                committed = writer.add(batch)
            yield from _committed(committed, tally, discovery)
            if committed:
                yield from self._group_early()
        with tally.timing("store"):
            committed = writer.flush()
        yield from _committed(committed, tally, discovery)
        self._mark_folders(discovery)
        with tally.timing("store"):
            writer.close()

    def _mark_folders(self, discovery: Discovery) -> None:
        with self._tally.timing("store"):
            for flavor in discovery.flavors.values():
                flavor.mark_folders(self._database)

    def _take_over(self, writer: StoreWriter) -> list[Problem]:
        """Add events that only packs set aside hold; return problems with the rest."""
        if not self._layout.aside.exists() or self._cancelled():
            return []
        from helix_tui.store.packs.takeover import take_over

        with self._tally.timing("store"):
            takeover = take_over(self._database, self._layout, writer)
        self._tally.taken_over = takeover.events
        return takeover.left

    def _analyze(self) -> Generator[SweepEvent, None, list[Problem]]:
        """Analyze what could not be analyzed while reading; return the failures."""
        failed: list[Problem] = []
        pending = len(pending_sessions(self._database))
        if not pending:
            return failed
        from helix_tui.engine.sweep.analysis import analyze_pending

        with self._tally.timing("analyze"):
            of_each = analyze_pending(self._database, self._layout, self._cancelled)
            for done, problem in enumerate(of_each, 1):
                yield DigestsMade(min(done, pending), pending)
                if problem is None:
                    self._tally.analyzed += 1
                else:
                    failed.append(problem)
        return failed

    def _group_early(self) -> Iterator[SweepEvent]:
        """Group during the first sweep, so that candidates show before its end."""
        with self._tally.timing("group"):
            total = self._early.group() if self._early else None
        if total is not None:
            yield CandidatesGrouped(total)

    def _group(self) -> CandidateCounts:
        """Group what changed; damaged detection data must not fail the rest of the sweep."""
        with self._tally.timing("group"):
            try:
                counts = group_changes(self._config, self._database)
                self._find_told()
            except StoreError as error:
                self._ungrouped = error
                return CandidateCounts(total=count_listed(self._config, self._database))
        # Early grouping happens only where there were no candidates before.
        is_early = self._early is not None and self._early.has_grouped
        return CandidateCounts(counts.total, 0, counts.total) if is_early else counts

    def _find_told(self) -> None:
        """Look for what candidates are told in instructions, where something changed."""
        if is_told_due(self._database.connection()):
            from helix_tui.engine.context.told_book import refresh_told

            refresh_told(self._config, self._database)

    def _retain(self, held: str | None) -> Generator[SweepEvent, None, RetentionReport]:
        with self._tally.timing("retain"):
            return (
                yield from retain(self._config, self._database, self._layout, self._cancelled, held)
            )


def _judge(folds: Iterable[StoredFold]) -> Judged | None:
    """Judge stored folds; the code for it is loaded only by a sweep with something new."""
    from helix_tui.engine.sweep.analysis import judge_stored

    return judge_stored(folds)


def _dry_sweep(
    config: Config, layout: StoreLayout, cancelled: Callable[[], bool]
) -> Iterator[SweepEvent]:
    """Read what a sweep would read, and write nothing."""
    from helix_tui.workers.pool import new_bytes, read_units

    started = time.monotonic()
    tally = _Tally()
    folded: set[str] = set()
    searchable: set[str] = set()
    with (
        reading(layout, leaves_no_trace=True) as database,
        Plugins(config.plugin_seconds, cancelled) as plugins,
    ):
        with tally.timing("discover"):
            discovery = find_changes(config, database, plugins)
        tasks = discovery.tasks
        bytes_total = sum(map(new_bytes, tasks))
        yield SweepStarted(discovery.discovered, len(tasks), bytes_total)
        known_problems = set(list_problems(database, -1)) if database else set()
        tally.note_problems(
            [problem for problem in discovery.problems if problem not in known_problems]
        )
        for batch in read_units(tasks, 0, cancelled, plugins):
            new = [problem for problem in batch.problems if problem not in known_problems]
            is_news = any(patch.frame or patch.usage for patch in batch.patches)
            yield tally.progress(batch, len(tasks), bytes_total)
            yield from _committed([Committed(batch, is_news, new)], tally, discovery)
            folded.update(patch.id for patch in batch.patches if patch.fold)
            searchable.update(patch.id for patch in batch.patches if patch.texts)
        tally.analyzed = len(folded)
        retention = preview(RetentionPlan(config.retention, DiskUsage(0, 0)))
        if database:
            held = _reason_to_hold(_vanished(discovery, database))
            retention = preview(plan_retention(config, database, layout), held)
        pending = len(searchable) + (count_pending(database.connection()) if database else 0)
        listed = count_listed(config, database) if database else 0
    problems = len(known_problems) + tally.new_problem_count
    candidates = CandidateCounts(total=listed)
    queued = queued_decisions(config)
    yield SweepFinished(
        _report(discovery, tally, started, problems, True, retention, pending, candidates, queued)
    )


def _vanished(discovery: Discovery, database: Database) -> list[Problem]:
    """Report sources that list no logs where there were some before."""
    counts = {
        flavor.flavor: count_parts(database, flavor.flavor)
        for flavor in discovery.flavors.values()
        if flavor.is_enabled and not flavor.unit_count
    }
    return [
        Problem(
            flavor,
            None,
            f"its folders list no logs, where there were {count:,}: nothing is evicted until they "
            "are back, or `helix retain` is called",
        )
        for flavor, count in counts.items()
        if count
    ]


def _reason_to_hold(vanished: list[Problem]) -> str | None:
    return "; ".join(f"{problem.path}: {problem.reason}" for problem in vanished) or None


def _committed(
    committed: list[Committed], tally: _Tally, discovery: Discovery
) -> Iterator[SweepEvent]:
    for commit in committed:
        batch = commit.batch
        if batch.cursor is not None and batch.cursor.stamp is not None:
            discovery.flavors[batch.flavor].captured[batch.unit, batch.part] = batch.cursor.stamp
        tally.bytes_read += batch.bytes_read
        tally.note_problems(commit.new_problems)
        if commit.is_news:
            tally.ingested.add((batch.flavor, batch.unit))
        if batch.is_last and (batch.flavor, batch.unit) in tally.ingested:
            yield UnitIngested(batch.flavor, batch.path)
        yield from map(ProblemFound, commit.new_problems)


def _report(
    discovery: Discovery,
    tally: _Tally,
    started: float,
    problems: int,
    is_dry_run: bool,
    retention: RetentionReport,
    search_pending: int,
    candidates: CandidateCounts,
    queued: int | None,
) -> SweepReport:
    return SweepReport(
        discovered=discovery.discovered,
        ingested=len(tally.ingested),
        skipped_unchanged=discovery.discovered - len(discovery.tasks),
        bytes_read=tally.bytes_read,
        seconds=round(time.monotonic() - started, 3),
        is_dry_run=is_dry_run,
        new_problems=tally.new_problem_count,
        known_problems=problems - tally.new_problem_count,
        listed_problems=tally.new_problems,
        analyzed=tally.analyzed,
        search_pending=search_pending,
        retention=retention,
        candidates=candidates,
        queued_decisions=queued,
        taken_over=tally.taken_over,
        stages={name: round(seconds, 3) for name, seconds in tally.stages.items()},
    )


def _summary(report: SweepReport, started_ts: int, is_complete: bool) -> SweepSummary:
    retention = report.retention
    return SweepSummary(
        started_ts,
        report.seconds,
        report.discovered,
        report.ingested,
        report.skipped_unchanged,
        report.bytes_read,
        report.new_problems,
        is_complete,
        report.analyzed,
        0 if retention.held else len(retention.plan.evicted),
        retention.after.raw,
        retention.after.distilled,
    )
