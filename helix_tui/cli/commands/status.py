"""`helix status`: what is in the store, and what the agents will delete soon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import print_json, problem_json
from helix_tui.text.human import duration, gauge, human_bytes, plural
from helix_tui.text.safe import safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.curate.journal.reasons import VerdictCounts
    from helix_tui.engine.status import FlavorStatus, Status
    from helix_tui.schema import SweepSummary

_MOST_FAILED = 5


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "status",
        help="What is in the store, and what agents will delete soon.\n\n"
        "Sessions, sizes, the last sweep, and how many logs an agent will delete within 3 and "
        "7 days before they are captured. --verdicts counts what was decided, and why candidates "
        "were rejected.",
    )(_status)


def _status(
    context: typer.Context,
    is_verdicts: Annotated[
        bool, typer.Option("--verdicts", help="What was decided, and why candidates were rejected.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    engine = load_engine(context, config, store, verbose, keeps_log=False)
    if is_verdicts:
        _tell_verdicts(engine.verdicts.counted(), as_json)
        return
    status = engine.status()
    if as_json:
        print_json("status", _as_json(status))
    else:
        _print(status)


def _tell_verdicts(counts: VerdictCounts, as_json: bool) -> None:
    from helix_tui.curate.journal.reasons import REASONS

    if as_json:
        rejected = [
            {"candidate": line.candidate, "reason": line.reason or None, "note": line.note}
            for line in counts.lines
        ]
        reasons = {reason or "none": count for reason, count in counts.rejected.items()}
        fields = {"verdicts": counts.given, "reasons": reasons, "rejected": rejected}
        print_json("status", fields)
        return
    if not counts.given:
        print("Nothing was decided yet.")
    for action, count in counts.given.items():
        print(f"{action:<11}{count:>6,}")
    for reason, count in counts.rejected.items():
        print(f"{'':<11}{count:>6,} {REASONS[reason]}")
    for line in counts.lines:
        if line.note:
            print(f"  {safe_line(line.candidate)}: {safe_line(line.note)}")


def _as_json(status: Status) -> dict[str, Any]:
    last = status.last_sweep
    return {
        "store": str(status.store),
        "created": status.is_created,
        "sessions": sum(flavor.sessions for flavor in status.flavors),
        "flavors": {flavor.flavor: _flavor_json(flavor) for flavor in status.flavors},
        "database_bytes": status.database_bytes,
        "pack_bytes": status.pack_bytes,
        "raw_usage": status.usage.raw,
        "distilled_usage": status.usage.distilled,
        "soft_cap": status.caps.soft,
        "hard_cap": status.caps.hard,
        "distilled_cap": status.caps.distilled,
        "raw": status.raw_states,
        "unanalyzed": status.unanalyzed,
        "problems": status.problems,
        "problem_list": [problem_json(problem) for problem in status.listed_problems],
        "last_sweep": _sweep_json(last) if last else None,
        "remembered": {
            "entries_7_days": status.remembered.entries,
            "failed": [
                {"session": one.session, "reason": one.reason, "waits_for_you": one.is_dead}
                for one in status.remembered.failed
            ],
        },
    }


def _flavor_json(flavor: FlavorStatus) -> dict[str, Any]:
    clock = flavor.clock
    return {
        "sessions": flavor.sessions,
        "sub_agents": flavor.children,
        "logs": flavor.units,
        "uncaptured": flavor.uncaptured,
        "present": flavor.is_there,
        "cleanup_days": clock.cleanup_days if clock else None,
        "vanish_3_days": clock.vanish_within_3_days if clock else 0,
        "vanish_7_days": clock.vanish_within_7_days if clock else 0,
    }


def _sweep_json(sweep: SweepSummary) -> dict[str, Any]:
    return {
        "at": iso(sweep.started_ts),
        "seconds": sweep.seconds,
        "discovered": sweep.discovered,
        "ingested": sweep.ingested,
        "skipped_unchanged": sweep.skipped_unchanged,
        "bytes_read": sweep.bytes_read,
        "new_problems": sweep.new_problems,
        "complete": sweep.is_complete,
        "analyzed": sweep.analyzed,
        "evicted": sweep.evicted,
    }


def _print(status: Status) -> None:
    print(f"store      {safe_line(str(status.store))}{'' if status.is_created else ' (none yet)'}")
    for flavor in status.shown:
        children = f", {flavor.children:,} of them sub-agents" if flavor.children else ""
        print(f"{flavor.flavor:<11}{plural(flavor.sessions, 'session')}{children}")
        waiting = f"{flavor.uncaptured:,} not captured as they are now"
        print(f"{'':<11}{plural(flavor.units, 'log')} on this machine, {waiting}")
        clock = flavor.clock
        if clock and flavor.units:
            print(
                f"{'':<11}kept {plural(clock.cleanup_days, 'day')} by the agent; uncaptured that "
                f"vanish: {clock.vanish_within_3_days:,} in 3 days, "
                f"{clock.vanish_within_7_days:,} in 7"
            )
    usage, caps, states = status.usage, status.caps, status.raw_states
    raw = (
        f"{human_bytes(usage.raw)} of {human_bytes(caps.soft)} soft, {human_bytes(caps.hard)} hard"
    )
    print(f"raw        {gauge(usage.raw, caps.hard, caps.soft)} {raw}")
    distilled = f"{human_bytes(usage.distilled)} of {human_bytes(caps.distilled)}"
    print(f"distilled  {gauge(usage.distilled, caps.distilled)} {distilled}")
    if states["evicted"] or states["partial"]:
        print(
            f"{'':<11}raw bytes: {states['full']:,} sessions have all, {states['partial']:,} some, "
            f"{states['evicted']:,} none"
        )
    if status.unanalyzed:
        print(f"{'':<11}{plural(status.unanalyzed, 'session')} not analyzed yet")
    listed = "; --json lists the latest" if status.problems else ""
    print(f"problems   {status.problems:,}{listed}")
    remembered = status.remembered
    if remembered.entries or remembered.failed:
        print(f"remembered {safe_line(str(remembered))[:-1]}, in 7 days")
    for one in remembered.failed[:_MOST_FAILED]:
        todo = f"; `helix flush {one.session}` tries again" if one.is_dead else ""
        print(f"{'':<11}{safe_line(one.session)}: {safe_line(one.reason)}{safe_line(todo)}")
    last = status.last_sweep
    if last is None:
        print("last sweep none yet; run `helix --sweep`")
        return
    how = "" if last.is_complete else ", stopped before its end"
    moment = (iso(last.started_ts) or "-")[:19].replace("T", " ")
    print(f"last sweep {moment} UTC, {last.ingested:,} taken in, {duration(last.seconds)}{how}")
