"""`helix sessions`: lists sessions, the latest first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_engine,
    named,
)
from helix_tui.cli.output import human_usd, plural, print_json, print_table, screen_width
from helix_tui.errors import UsageError
from helix_tui.text.times import iso, parse_iso

if TYPE_CHECKING:
    from helix_tui.engine import Engine
    from helix_tui.schema import Cost, Session

_DEFAULT_ROWS = 50
_COLUMNS: tuple[tuple[str, Literal["left", "right", "flex"]], ...] = (
    ("ended", "left"),
    ("session", "flex"),
    ("repo", "flex"),
    ("tools", "right"),
    ("errors", "right"),
    ("outcome", "left"),
    ("cost", "right"),
    ("prompts", "right"),
    ("output", "right"),
)
# The last columns are left out where they would leave no room for the id.
_WIDE = 100
_WIDE_ONLY = 3


class Outcome(StrEnum):
    """How a session probably went."""

    success = "success"
    partial = "partial"
    failed = "failed"
    abandoned = "abandoned"
    unknown = "unknown"


FlavorOption = Annotated[
    str | None,
    typer.Option("--flavor", metavar="TEXT", parser=named, help="Only this agent's."),
]
RepoOption = Annotated[
    str | None,
    typer.Option("--repo", metavar="TEXT", parser=named, help="Only of this repository."),
]
OutcomeOption = Annotated[
    Outcome | None, typer.Option("--outcome", help="Only those that probably went so.")
]
SinceOption = Annotated[
    str | None,
    typer.Option("--since", metavar="WHEN", help="Only since a date, or 7d, 12h."),
]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("sessions", help="List sessions, the latest first.")(_sessions)


def _sessions(
    context: typer.Context,
    flavor: FlavorOption = None,
    repo: RepoOption = None,
    outcome: OutcomeOption = None,
    since: SinceOption = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help=f"At most so many; a table shows {_DEFAULT_ROWS}.")
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.schema import SessionFilter

    engine = load_engine(context, config, store, verbose)
    most = limit or (None if as_json else _DEFAULT_ROWS)
    wanted = SessionFilter(flavor, repo, parse_since(since) if since else None, outcome, most)
    shown = engine.sessions(wanted)
    if as_json:
        print_json("sessions", {"sessions": [session_json(engine, item) for item in shown]})
        return
    is_narrow = screen_width() < _WIDE
    columns = _COLUMNS[: -_WIDE_ONLY if is_narrow else None]
    print_table(columns, [_cells(item)[: len(columns)] for item in shown])
    if not shown:
        print("No session fits.")
    elif len(shown) == most and (count := engine.count_sessions(wanted)) > most:
        print(f"{len(shown)} of {plural(count, 'session')}; --limit shows more.")


def _cells(session: Session) -> tuple[str, ...]:
    return (
        (iso(session.last_ts) or "-")[:16].replace("T", " "),
        session.id,
        session.repo or "-",
        f"{session.tool_calls:,}",
        f"{session.tool_errors:,}",
        session.outcome,
        human_usd(session.cost),
        f"{session.prompts:,}",
        f"{session.cost.output:,}",
    )


def parse_since(text: str) -> int:
    """A date, a time, or an age such as 7d, 12h or 30m, as a stored time."""
    units = {"d": "days", "h": "hours", "m": "minutes"}
    if text[:-1].isdecimal() and text[-1] in units:
        try:
            moment = datetime.now(UTC) - timedelta(**{units[text[-1]]: int(text[:-1])})
        except OverflowError:
            raise UsageError(f"{text!r} is longer ago than there are dates.") from None
        return int(moment.timestamp() * 1000)
    ts = parse_iso(text)
    if ts is None:
        raise UsageError(f"{text!r} is no date.", "Write 2026-11-16, or an age such as 7d or 12h.")
    return ts


def session_json(engine: Engine, session: Session) -> dict[str, Any]:
    """A session as scripts see it; what later stages fill in is null until they have run."""
    return {
        "id": session.id,
        "flavor": session.flavor,
        "native_id": session.native_id,
        "parent": session.parent,
        "repo": session.repo,
        "domain": engine.domain_of(session.repo),
        "cwd": session.cwd,
        "branch": session.branch,
        "model": session.model,
        "started_at": iso(session.first_ts),
        "ended_at": iso(session.last_ts),
        "events": session.events,
        "prompts": session.prompts,
        "tool_calls": session.tool_calls,
        "tool_errors": session.tool_errors,
        "failures": session.failures,
        "checks": checks_json(session),
        "compactions": session.compactions,
        "ended": session.ended,
        "outcome": session.outcome,
        "outcome_confidence": session.outcome_confidence,
        "outcome_reason": session.outcome_reason,
        "analyzed": session.is_analyzed,
        "raw": session.raw,
        "raw_bytes": session.raw_bytes,
        "pinned": session.is_pinned,
        "gate": session.gate,
        "cost": cost_json(session.cost),
    }


def checks_json(session: Session) -> list[dict[str, Any]] | None:
    """The last state of each check, the latest last; null where no digest tells."""
    if session.checks is None:
        return None
    return [
        {"name": name, "state": check.state, "at": iso(check.ts)}
        for name, check in session.checks.items()
    ]


def cost_json(cost: Cost) -> dict[str, int | float | None]:
    """Tokens and what they cost, as scripts see them."""
    return {
        "input": cost.input,
        "output": cost.output,
        "cache_read": cost.cache_read,
        "cache_write": cost.cache_write,
        "reasoning": cost.reasoning,
        "usd": cost.usd,
        "usd_priced": cost.usd_priced,
        "unpriced_tokens": cost.unpriced_tokens,
    }
