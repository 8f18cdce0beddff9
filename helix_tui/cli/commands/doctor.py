"""`helix doctor`: what is wrong, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.interrupts import stop_on_signal
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import print_json
from helix_tui.errors import ExitCode
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.engine.health.repair import RepairReport

_SHOWN = 20


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "doctor",
        help="Check store, sources and permissions; with --repair, mend.\n\n"
        "Database, schema, packs, digests, search, accounting, permissions, space, sources "
        "and hooks; each finding says what to do, and nothing is changed. --repair rebuilds a "
        "damaged store from logs, packs and what rows still tell, keeps the damaged files and says "
        "what is lost; packs that no row owns, as behind a backup put back, it takes over.",
    )(_doctor)


def _doctor(
    context: typer.Context,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Rebuild a damaged store; without it nothing is changed."),
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    # Doctor never writes, so it keeps no log either.
    engine = load_engine(context, config, store, verbose, keeps_log=repair)
    repaired = None
    if repair:
        with stop_on_signal() as stop:
            repaired = engine.repair(stop.is_asked)
        stop.exit_if_asked()
    checks = engine.doctor()
    wrong = [check for check in checks if not check.is_ok]
    if as_json:
        listed = [
            {
                "name": check.name,
                "ok": check.is_ok,
                "detail": check.detail,
                "todo": "" if check.is_ok else check.todo,
            }
            for check in checks
        ]
        fields = {"ok": not wrong, "checks": listed}
        if repaired is not None:
            fields["repair"] = _repair_json(repaired)
        print_json("doctor", fields)
    else:
        if repaired is not None:
            _print_repair(repaired)
        for check in checks:
            print(f"{'ok   ' if check.is_ok else 'WRONG'}  {check.name}: {safe_line(check.detail)}")
            if not check.is_ok:
                print(f"       {safe_line(check.todo)}")
        print("Everything is fine." if not wrong else f"{plural(len(wrong), 'thing')} to mend.")
    if wrong:
        raise typer.Exit(ExitCode.FINDINGS)


def _repair_json(report: RepairReport) -> dict[str, Any]:
    return {
        "repaired": report.aside is not None
        or report.is_index_rebuilt
        or report.is_detection_rebuilt
        or report.taken_over is not None,
        "index_rebuilt": report.is_index_rebuilt,
        "detection_rebuilt": report.is_detection_rebuilt,
        "taken_over": report.taken_over,
        "damaged_files": str(report.aside) if report.aside else None,
        "sessions_before": report.sessions_before,
        "sessions_after": report.sessions_after,
        "all_known_before": report.is_before_known,
        "lost_sessions": report.lost_sessions,
        "lost_raw_events": report.lost_raw,
        "lost_digests": report.lost_digests,
        "lost_facts": report.lost_facts,
        "lost_tokens": report.lost_tokens,
    }


def _print_repair(report: RepairReport) -> None:
    if report.is_index_rebuilt:
        print("Made the index of search anew; nothing is lost.")
    if report.is_detection_rebuilt:
        print("Made signals and candidates anew from the digests; nothing is lost.")
    if report.taken_over is not None:
        events = plural(report.taken_over, "event")
        print(f"Read the logs, and took over {events} that only packs without a row still had.")
    if report.is_index_rebuilt or report.is_detection_rebuilt or report.taken_over is not None:
        return
    if report.aside is None:
        print("There was nothing to repair.")
        return
    print(f"Set the damaged files aside, unchanged, in {safe_line(str(report.aside))}.")
    print("Delete that folder when nothing that is named below is missed.")
    before = f"{report.sessions_before:,} could be told from what was left"
    print(f"Rebuilt {plural(report.sessions_after, 'session')}; {before}.")
    if not report.is_before_known:
        print("Part of the database could not be read: what only that part knew is lost untold.")
    _print_lost("sessions of which nothing is left", report.lost_sessions)
    _print_lost(
        "sessions whose raw bytes are lost in part, their digests kept",
        [f"{name}, {plural(count, 'event')}" for name, count in report.lost_raw.items()],
    )
    _print_lost("sessions whose digest is lost or inexact", report.lost_digests)
    _print_lost("sessions of whose tokens some are no longer counted", report.lost_tokens)
    _print_lost("sessions whose folder, branch, model and tokens are lost", report.lost_facts)


def _print_lost(kind: str, names: list[str]) -> None:
    if names:
        print(f"Lost: {len(names):,} {kind}:")
        for name in names[:_SHOWN]:
            print(f"  {safe_line(name)}")
        if len(names) > _SHOWN:
            print(f"  and {len(names) - _SHOWN:,} more; --json lists them all")
