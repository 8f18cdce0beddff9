"""`helix sweep`, also `helix --sweep`: one headless sweep with its report."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from helix_tui.cli.commands.retain import print_retention, retention_json
from helix_tui.cli.interrupts import stop_on_signal
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    OriginOption,
    PushOption,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import discard_output, print_json, problem_json
from helix_tui.errors import ExitCode, StoreError, UsageError
from helix_tui.text.human import duration, human_bytes, plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.engine import Engine
    from helix_tui.engine.sweep.sweep import LogSource
    from helix_tui.events import SessionEvicted, SweepEvent, SweepReport
    from helix_tui.schema import Problem

_SHOWN_FILES, _SHOWN_REASONS = 10, 5
_WORTH_SHARING = 0.05
log = logging.getLogger(__name__)

_DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Read everything, create nothing.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "sweep",
        help="Take in what is new in the agents' logs.\n\n"
        "Run it as often as you like: a log that did not change costs a look at its size and "
        "time. With --dry-run everything is read and nothing created. Ctrl-C stops in order; "
        "the next sweep goes on from there. `helix --sweep` is the same, `helix --demo "
        "--sweep` does it on the bundled sample, in a store of its own.",
    )(_sweep)


def _sweep(
    context: typer.Context,
    dry_run: _DryRunOption = False,
    push: PushOption = False,
    origin: OriginOption = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    run(context, dry_run, as_json, config, store, verbose, push=push, origin=origin)


def run(
    context: typer.Context,
    dry_run: bool,
    as_json: bool,
    config: Path | None,
    store: Path | None,
    verbose: bool,
    *,
    push: bool = False,
    origin: str = "",
) -> None:
    """Sweep once; exit with 1 when there are new problems, with 130 when it was stopped."""
    engine = load_engine(context, config, store, verbose, keeps_log=not dry_run)
    if engine.config.is_sample:
        tell_sample(engine.config.store)
    if dry_run and (push or origin):
        raise UsageError("A dry run pushes nothing.", "Leave out --push, or --dry-run.")
    if origin and not push:
        raise UsageError("--origin goes with --push.", "Say both.")
    if push:
        _be_ready_to_push(engine, origin)
    sweep_with(engine, dry_run, as_json, is_pushing=push)


def _be_ready_to_push(engine: Engine, origin: str) -> None:
    """Find out before a long sweep that nothing could be pushed after it."""
    from helix_tui.engine.team.joining import be_member

    be_member(engine.config, origin)


def tell_sample(store: Path | None) -> None:
    """Say that what follows is about the bundled sample, and where it is kept."""
    hint = f"; `--store {store}` shows it" if store else ""
    print(f"helix: this is the bundled sample, not your own logs{hint}.", file=sys.stderr)


def sweep_with(
    engine: Engine,
    dry_run: bool,
    as_json: bool,
    source: LogSource | None = None,
    *,
    is_pushing: bool = False,
) -> None:
    """Sweep once, the configured folders or another source, and end as `run` does."""
    from helix_tui.workers.garbage import spare_gc

    spare_gc()
    with stop_on_signal() as stop:
        events = engine.sweep(is_dry_run=dry_run, cancelled=stop.is_asked, source=source)
        report, trouble = _drive(events, partial(_tell, as_json=as_json))
        # The store is free again: what follows keeps nobody waiting.
        if not dry_run and not stop.is_asked():
            for message in engine.after_sweep(stop.is_asked):
                print(f"helix: {safe_line(message)}", file=sys.stderr)
            for message in engine.push_to_team(stop.is_asked, is_asked=is_pushing):
                print(f"helix: {safe_line(message)}", file=sys.stderr)
            if (remembered := engine.remembered) and (remembered.entries or remembered.failed):
                line = f"remembered: {remembered}"
                print(safe_line(line), file=sys.stderr if as_json else sys.stdout)
    stop.exit_if_asked()
    if trouble is not None:
        raise trouble
    if report.new_problems or report.retention.plan.data_loss:
        raise typer.Exit(ExitCode.PROBLEMS)


def _tell(report: SweepReport, *, as_json: bool) -> None:
    """Print the report before the search index is brought up to date."""
    log.info(
        "sweep: %d discovered, %d ingested, %d bytes read, %d new problems, %.3f s",
        report.discovered,
        report.ingested,
        report.bytes_read,
        report.new_problems,
        report.seconds,
    )
    try:
        if as_json:
            print_json("sweep", _as_json(report))
        else:
            _print(report)
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()  # nobody reads on, but there is more to do


def _drive(
    events: Iterator[SweepEvent], tell: Callable[[SweepReport], None]
) -> tuple[SweepReport, StoreError | None]:
    """Run the sweep to its end, with a progress bar where somebody watches.

    A full disk ends it with an error, but not without its report.
    """
    from helix_tui.events import ProblemFound, SessionEvicted, SweepFinished, UnitIngested

    if sys.stderr.isatty():
        from helix_tui.cli.progress import show_progress

        events = show_progress(events)
    report, trouble = None, None
    try:
        for event in events:
            if isinstance(event, ProblemFound):
                problem = event.problem
                log.warning("%s at %s: %s", problem.path, problem.offset, problem.reason)
            elif isinstance(event, UnitIngested):
                log.debug("ingested %s", event.path)
            elif isinstance(event, SessionEvicted):
                _log_eviction(event)
            elif isinstance(event, SweepFinished):
                report = event.report
                tell(report)
    except StoreError as error:
        if report is None:
            raise
        trouble = error
    assert report is not None, "a sweep ends with its report"
    return report, trouble


def _log_eviction(event: SessionEvicted) -> None:
    eviction = event.eviction
    if eviction.is_data_loss:
        log.warning("evicted %s, of which there is no digest: %s", eviction.id, eviction.reason)
    else:
        log.debug("evicted %s: %s", eviction.id, eviction.reason)


def _shares(report: SweepReport) -> str:
    """How the work was shared between the stages, some of which run at the same time."""
    total = sum(report.stages.values())
    if total < _WORTH_SHARING:
        return ""
    shares = [
        f"{name} {seconds / total:.0%}"
        for name, seconds in report.stages.items()
        if seconds / total >= 0.005
    ]
    return f" Work: {', '.join(shares)}."


def _as_json(report: SweepReport) -> dict[str, object]:
    return {
        "discovered": report.discovered,
        "ingested": report.ingested,
        "skipped_unchanged": report.skipped_unchanged,
        "analyzed": report.analyzed,
        "search_pending": report.search_pending,
        "bytes_read": report.bytes_read,
        "seconds": report.seconds,
        "dry_run": report.is_dry_run,
        "problems": {
            "new": report.new_problems,
            "known": report.known_problems,
            "list": [problem_json(problem) for problem in report.listed_problems],
        },
        "retention": retention_json(report.retention),
        "candidates": report.candidates._asdict(),
        "decisions": {"queued": report.queued_decisions},
        "taken_over": report.taken_over,
        "stages": report.stages,
    }


def _print(report: SweepReport) -> None:
    verb = "Dry run: would have taken in" if report.is_dry_run else "Took in"
    rate = report.bytes_read / report.seconds if report.seconds else 0
    print(
        f"{verb} {report.ingested:,} of {plural(report.discovered, 'log')} "
        f"({report.skipped_unchanged:,} unchanged), {human_bytes(report.bytes_read)} "
        f"in {duration(report.seconds)} ({human_bytes(int(rate))}/s)."
    )
    if not report.is_dry_run:
        print(f"Analyzed {plural(report.analyzed, 'session')}.{_shares(report)}")
    if report.taken_over:
        print(
            f"Took over {plural(report.taken_over, 'event')} that only packs without a row still "
            "had: the database is older than its packs."
        )
    if report.search_pending:
        print(f"Search: {plural(report.search_pending, 'session')} to index behind this report.")
    counts = report.candidates
    if counts.total:
        print(
            f"Candidates: {counts.total:,} ({counts.new:,} new, {counts.changed:,} changed); "
            "`helix detect` lists those worth a look, `--all` every one."
        )
    print_retention(report.retention, is_planned=report.is_dry_run)
    known_text = f"{report.known_problems:,} known"
    print(f"Problems: {report.new_problems:,} new, {known_text}.")
    _print_problems(report.listed_problems, report.new_problems)


def _print_problems(listed: Sequence[Problem], count: int) -> None:
    """Problems by file: each reason once, with how often and where it was first seen."""
    by_file: dict[str, dict[str, list[int | None]]] = {}
    for problem in listed:
        by_file.setdefault(problem.path, {}).setdefault(problem.reason, []).append(problem.offset)
    for path, reasons in list(by_file.items())[:_SHOWN_FILES]:
        print(f"  {safe_line(path)}")
        for reason, offsets in list(reasons.items())[:_SHOWN_REASONS]:
            print(f"    {safe_line(reason, 120)}{_places(offsets)}")
        if len(reasons) > _SHOWN_REASONS:
            print(f"    and {plural(len(reasons) - _SHOWN_REASONS, 'other reason')}")
    if len(by_file) > _SHOWN_FILES:
        print(f"  and {plural(len(by_file) - _SHOWN_FILES, 'other file')}")
    if count > len(listed):
        print(f"  and {count - len(listed):,} more; --json lists up to 100")


def _places(offsets: Sequence[int | None]) -> str:
    """Where something was found, if at a place at all; of many the first."""
    known = sorted(offset for offset in offsets if offset is not None)
    if not known:
        return ""
    if len(known) == 1:
        return f" at byte {known[0]:,}"
    return f" at {len(known):,} places, the first at byte {known[0]:,}"
