"""`helix sessions`: list sessions, the latest first."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from helix_tui.cli.options import (
    ConfigOption,
    FlavorOption,
    JsonOption,
    OutcomeOption,
    RepoOption,
    SinceOption,
    StoreOption,
    UntilOption,
    VerboseOption,
    load_engine,
    parse_since,
    parse_until,
    tell_unknown,
)
from helix_tui.cli.output import console, print_json, print_table
from helix_tui.text.human import human_usd, plural
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.engine import Engine
    from helix_tui.schema import Cost, Session
    from helix_tui.schema.session import Instructions

_DEFAULT_ROWS = 50
_SHORT_ID = 9
_COLUMNS: tuple[tuple[str, Literal["left", "right", "flex"]], ...] = (
    ("title", "flex"),
    ("repo", "flex"),
    ("ended", "left"),
    ("session", "left"),
    ("outcome", "left"),
    ("cost", "right"),
    ("open", "right"),
    ("tools", "right"),
    ("errors", "right"),
    ("prompts", "right"),
    ("output", "right"),
)
# The last columns are left out where they would leave no room for the title.
_WIDE = 160
_WIDE_ONLY = 5


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sessions", help="List sessions, the latest first.")(_sessions)


def _sessions(
    context: typer.Context,
    flavor: FlavorOption = None,
    repo: RepoOption = None,
    outcome: OutcomeOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
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
    tell_unknown(engine, flavor, repo)
    most = limit or (None if as_json else _DEFAULT_ROWS)
    session_filter = SessionFilter(
        flavor,
        repo,
        parse_since(since) if since else None,
        outcome,
        most,
        parse_until(until) if until else None,
    )
    listed = engine.sessions(session_filter)
    if as_json:
        print_json("sessions", {"sessions": [session_json(engine, item) for item in listed]})
        return
    is_narrow = console().width < _WIDE
    columns = _COLUMNS[: -_WIDE_ONLY if is_narrow else None]
    # Other programs get ids whole; on a screen the title has the room.
    is_short = console().is_terminal
    names = [_short_id(item) if is_short else item.id for item in listed]
    now_ms = int(time.time() * 1000)
    rows = [
        _cells(item, name, _ended(item.last_ts, now_ms if is_short else None))
        for item, name in zip(listed, names, strict=True)
    ]
    print_table(columns, [row[: len(columns)] for row in rows])
    if not listed:
        print("No session fits.")
    elif len(listed) == most and (count := engine.count_sessions(session_filter)) > most:
        print(f"{len(listed)} of {plural(count, 'session')}; --limit shows more.")


def _short_id(session: Session) -> str:
    """As much of an id as tells most sessions apart, and finds one: the beginning of an id does."""
    parent, dot, agent = session.id.rpartition(".")
    if session.parent and dot:
        return f"{parent[: len(session.flavor) + _SHORT_ID]}.{agent[: _SHORT_ID - 1]}"
    return session.id[: len(session.flavor) + _SHORT_ID]


def _ended(ts: int | None, now_ms: int | None) -> str:
    """When a session ended, UTC: for a person the name of the day, for programs the date."""
    text = (iso(ts) or "-")[:16].replace("T", " ")
    if ts is None or now_ms is None:
        return text
    from helix_tui.text.moments import day_label

    return f"{day_label(ts, now_ms)} {text[11:]}"


def _cells(session: Session, name: str, ended: str) -> tuple[str, ...]:
    return (
        session.title or "-",
        session.repo or "-",
        ended,
        name,
        session.outcome,
        human_usd(session.cost),
        "-" if session.left_open is None else f"{len(session.left_open):,}",
        f"{session.tool_calls:,}",
        f"{session.tool_errors:,}",
        f"{session.prompts:,}",
        f"{session.cost.output:,}",
    )


def session_json(engine: Engine, session: Session) -> dict[str, Any]:
    """A session as scripts see it; what later stages fill in is null until they have run."""
    return {
        "id": session.id,
        "flavor": session.flavor,
        "native_id": session.native_id,
        "parent": session.parent,
        "conversation": session.conversation,
        "title": session.title,
        "repo": session.repo,
        "domain": engine.domain_of(session.repo),
        "cwd": session.cwd,
        "branch": session.branch,
        "model": session.model,
        "agent_version": session.agent_version,
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
        "left_open": session.left_open,
        "analyzed": session.is_analyzed,
        "raw": session.raw,
        "raw_bytes": session.raw_bytes,
        "instructions": instructions_json(session.instructions),
        "pinned": session.is_pinned,
        "gate": session.gate,
        "cost": cost_json(session.cost),
    }


def instructions_json(given: Instructions) -> dict[str, Any]:
    """What a log records of the instructions that its agent was given."""
    return {
        "state": given.state,
        "hash": given.hash,
        "bytes": given.bytes,
        "cut": given.cut,
        "texts": given.texts,
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
