"""`helix retain`: the eviction plan, or its execution; `helix pin`: sessions whose raw stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.interrupts import stop_on_signal
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    SessionArgument,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.errors import ExitCode
from helix_tui.text.human import gauge, human_bytes, plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.schema import RetentionReport

_SHOWN = 20
_PASSES = {"age": "too old", "soft": "above the soft cap", "hard": "above the hard cap"}


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        "retain",
        help="Evict raw bytes down to the caps, or say what would go.\n\n"
        "Every sweep does the same. Digests stay whatever goes.",
    )(_retain)
    app.command("pin", help="Keep a session's raw bytes as long as the hard cap allows.")(_pin)


def _retain(
    context: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the plan, evict nothing.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    engine = load_engine(context, config, store, verbose, keeps_log=not dry_run)
    with stop_on_signal() as stop:
        report = engine.retain(is_dry_run=dry_run, cancelled=stop.is_asked)
    _tell(report, dry_run, as_json)
    stop.exit_if_asked()
    if report.plan.data_loss and not dry_run:
        raise typer.Exit(ExitCode.PROBLEMS)


def _tell(report: RetentionReport, dry_run: bool, as_json: bool) -> None:
    if as_json:
        plan = [
            {
                "session": eviction.id,
                "raw_bytes": eviction.raw_bytes,
                "pass": eviction.in_pass,
                "reason": eviction.reason,
                "data_loss": eviction.is_data_loss,
            }
            for eviction in report.plan.evicted
        ]
        print_json("retain", {"dry_run": dry_run, **retention_json(report), "plan": plan})
        return
    evictions = report.plan.evicted
    if evictions:
        print_table(
            (("session", "flex"), ("size", "right"), ("pass", "left"), ("why", "flex")),
            [
                (
                    eviction.id,
                    human_bytes(eviction.raw_bytes),
                    eviction.in_pass,
                    eviction.reason,
                )
                for eviction in evictions[:_SHOWN]
            ],
        )
        if len(evictions) > _SHOWN:
            print(f"and {len(evictions) - _SHOWN:,} more; --json lists them all")
    print_retention(report, is_planned=dry_run)


def _pin(
    context: typer.Context,
    session: SessionArgument,
    undo: Annotated[bool, typer.Option("--undo", help="Take the pin away.")] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    pinned = load_engine(context, config, store, verbose).pin(session, is_pinned=not undo)
    if as_json:
        print_json("pin", {"session": pinned.id, "pinned": pinned.is_pinned, "raw": pinned.raw})
        return
    name = safe_line(pinned.id)
    if undo:
        print(f"{name} is no longer pinned.")
    elif pinned.raw == "full":
        print(f"Pinned {name}: its raw bytes stay as long as the hard cap allows.")
    else:
        print(f"Pinned {name}; what was evicted of it before does not come back.")


def retention_json(report: RetentionReport) -> dict[str, Any]:
    """What retention did, as scripts see it."""
    plan = report.plan
    is_held = report.held is not None
    return {
        "freed": 0 if is_held else plan.freed,
        "raw_usage": plan.usage.raw,
        "distilled_usage": report.after.distilled,
        "soft_cap": plan.caps.soft,
        "hard_cap": plan.caps.hard,
        "distilled_cap": plan.caps.distilled,
        "final_usage": report.after.raw,
        "passes": dict.fromkeys(plan.passes, 0) if is_held else plan.passes,
        "evicted": [] if is_held else [eviction.id for eviction in plan.evicted],
        "data_loss": [] if is_held else plan.data_loss,
        "distilled_alert": report.is_distilled_alert,
        "held": report.held,
    }


def print_retention(report: RetentionReport, *, is_planned: bool = False) -> None:
    """The gauges, and what went."""
    plan, after = report.plan, report.after
    caps = plan.caps
    print(
        f"raw        {gauge(after.raw, caps.hard, caps.soft)} {human_bytes(after.raw)} of "
        f"{human_bytes(caps.soft)} soft, {human_bytes(caps.hard)} hard"
    )
    print(
        f"distilled  {gauge(after.distilled, caps.distilled)} {human_bytes(after.distilled)} of "
        f"{human_bytes(caps.distilled)}"
    )
    if report.is_distilled_alert:
        print("           over its cap: nothing distilled is dropped by itself; raise the cap")
    if report.held:
        print(f"retention  held back: {safe_line(report.held)}")
        return
    if plan.evictions:
        verb = "would evict" if is_planned else "evicted"
        passes = ", ".join(
            f"{count:,} {_PASSES[name]}" for name, count in plan.passes.items() if count
        )
        freed = human_bytes(plan.freed)
        print(f"retention  {verb} {plural(len(plan.evicted), 'session')}, {freed}: {passes}")
    for name in plan.data_loss[:_SHOWN]:
        print(f"DATA LOSS  {safe_line(name)}: raw bytes gone before a digest was made")
    if len(plan.data_loss) > _SHOWN:
        print(f"           and {len(plan.data_loss) - _SHOWN:,} more; --json lists them all")
