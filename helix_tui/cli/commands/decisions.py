"""`helix decisions`: the audit trail of final verdicts, and its way to the hub."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from helix_tui.cli.interrupts import stop_on_signal
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_config,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.errors import ExitCode
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.curate.hub.queue import QueueRow
    from helix_tui.engine.hub.decisions import Audit

_NO_HUB = "No hub is configured ([hub] url): decisions are kept here and sent nowhere."

app = typer.Typer(
    help="Show what was decided and how far it got on its way to the hub.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list", help="Show every decision in order, with how far it got.")
def show(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print the audit trail; write and send nothing."""
    from helix_tui.engine.hub.decisions import audit

    loaded = load_config(context, config, store, verbose)
    queue_audit = audit(loaded)
    _warn(queue_audit.notices)
    if as_json:
        print_json("decisions", _as_json(queue_audit, has_hub=bool(loaded.hub.url)))
        return
    if not queue_audit.rows:
        print("There are no decisions yet: each approve and reject makes one.")
        return
    _print_rows(queue_audit.rows)
    print(_summary(queue_audit))
    if not loaded.hub.url:
        print(_NO_HUB)


@app.command(
    "sync",
    help="Send all that is queued to the hub, whatever its next time.\n\n"
    "The exit code is 1 where something could not be sent. A sweep and the workstation send what "
    "is due by themselves.",
)
def sync(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Send; exit with 1 where something could not be sent."""
    from helix_tui.engine.hub.decisions import sync_all

    loaded = load_config(context, config, store, verbose)
    with stop_on_signal() as stop:
        synced = sync_all(loaded, stop.is_asked)
    _warn(synced.audit.notices)
    _warn([f"Refused for good: {_named(row)}: {row.error}" for row in synced.newly_dead])
    if synced.problem:
        _warn([synced.problem])
    if as_json:
        fields = _as_json(synced.audit, has_hub=bool(loaded.hub.url))
        print_json("decisions", {**fields, "sent_now": synced.report.sent})
    else:
        if not loaded.hub.url:
            print(_NO_HUB)
        print(f"Sent {plural(synced.report.sent, 'decision')}. In all: {_summary(synced.audit)}")
    sys.stdout.flush()
    stop.exit_if_asked()
    is_unsent = synced.audit.count("queued") > 0 or bool(synced.newly_dead)
    if synced.problem or (is_unsent and loaded.hub.url):
        raise typer.Exit(ExitCode.PROBLEMS)


def _warn(sentences: list[str]) -> None:
    for sentence in sentences:
        print(f"helix: {safe_line(sentence)}", file=sys.stderr)


def _named(row: QueueRow) -> str:
    return f"{row.verdict} {row.candidate} ({row.id[:8]})"


def _summary(queue_audit: Audit) -> str:
    counts = {state: queue_audit.count(state) for state in ("sent", "queued", "dead")}
    return f"{', '.join(f'{count:,} {state}' for state, count in counts.items())}."


def _print_rows(rows: list[QueueRow]) -> None:
    print_table(
        (
            ("at", "left"),
            ("verdict", "left"),
            ("candidate", "flex"),
            ("state", "left"),
            ("tries", "right"),
            ("next try", "left"),
            ("id", "left"),
            ("what was wrong", "flex"),
        ),
        [
            (
                row.at[:16],
                row.verdict,
                row.candidate,
                row.state,
                f"{row.attempts:,}",
                row.next_at[:16],
                row.id[:8],
                row.error,
            )
            for row in rows
        ],
    )


def _as_json(queue_audit: Audit, *, has_hub: bool) -> dict[str, Any]:
    """The audit as scripts see it; counts include decisions sent earlier."""
    return {
        "sent": queue_audit.count("sent"),
        "queued": queue_audit.count("queued"),
        "dead": queue_audit.count("dead"),
        "hub": has_hub,
        "decisions": [_row_json(row, queue_audit) for row in queue_audit.rows],
    }


def _row_json(row: QueueRow, queue_audit: Audit) -> dict[str, Any]:
    decision = queue_audit.decisions.get(row.id)
    return {
        "id": row.id,
        "candidate": row.candidate,
        "verdict": row.verdict,
        "at": row.at,
        "state": row.state,
        "attempts": row.attempts,
        "next_at": row.next_at or None,
        "error": row.error or None,
        "sent_at": row.sent_at or None,
        "author": decision.author if decision else None,
        "retracts": decision.retracts or None if decision else None,
    }
