"""`helix detect`: what recurs across sessions and agents, the most worth a look first."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from helix_tui.cli.options import (
    ConfigOption,
    FlavorOption,
    JsonOption,
    RepoOption,
    SinceOption,
    StoreOption,
    VerboseOption,
    load_engine,
    named,
    parse_since,
)
from helix_tui.cli.output import console, print_json, print_json_stream, print_table
from helix_tui.text.human import plural, sparkline
from helix_tui.text.safe import safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.engine import Engine
    from helix_tui.schema.candidate import CandidateFilter, Detection, Ranked

# Nobody reads more from a terminal, and laying out takes its time.
_MOST_SHOWN = 200


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "detect",
        help="List what recurs across sessions and agents, best first.\n\n"
        "Problems come with what overcame them. The options choose what is listed, --all adds "
        "what is below the floor; --why shows what a score is made of and every session "
        "behind it, --dropped the sessions that do not count, with the rule.",
    )(_detect)


def _detect(
    context: typer.Context,
    min_frequency: Annotated[
        int, typer.Option("--min-frequency", min=0, help="Only what happened so often.")
    ] = 0,
    flavor: FlavorOption = None,
    repo: RepoOption = None,
    since: SinceOption = None,
    is_all: Annotated[
        bool, typer.Option("--all", help="Also what is below the floor of sessions.")
    ] = False,
    is_dropped: Annotated[
        bool, typer.Option("--dropped", help="List the sessions that do not count, and why.")
    ] = False,
    why: Annotated[
        str | None,
        typer.Option(
            "--why",
            metavar="ID",
            parser=named,
            help="One candidate: its score and every member.",
        ),
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.schema.candidate import CandidateFilter

    if is_dropped and why is not None:
        raise typer.BadParameter("--dropped lists sessions, and --why traces a candidate")
    engine = load_engine(context, config, store, verbose)
    since_ts = parse_since(since) if since else None
    wanted = CandidateFilter(min_frequency, flavor or None, repo or None, since_ts, is_all)
    if is_dropped:
        _dropped(engine, wanted, as_json)
        return
    if why is not None:
        from helix_tui.cli.commands.detect_why import print_why

        traced = engine.candidates.one(why)
        say_stale(traced.stale)
        print_why(traced, as_json)
        return
    found = engine.candidates.detect(wanted, has_excerpts=as_json)
    say_stale(found.stale)
    if as_json:
        from helix_tui.cli.commands.detect_json import each_json

        print_json_stream("detect", {"stale": found.stale or None}, "candidates", each_json(found))
    else:
        _print(found, wanted)


def say_stale(reason: str) -> None:
    """Says in one line that there is more than is shown, and why."""
    if reason:
        said = f"helix: what is new is not grouped yet, this is from before: {safe_line(reason)}"
        print(said, file=sys.stderr)


def _dropped(engine: Engine, wanted: CandidateFilter, as_json: bool) -> None:
    dropped, stale = engine.candidates.dropped(wanted)
    say_stale(stale)
    if as_json:
        rows = [
            {
                "session": one.id,
                "flavor": one.flavor,
                "repo": one.repo,
                "ended_at": iso(one.last_ts),
                "events": one.events,
                "gate": one.gate,
                "reason": one.reason,
            }
            for one in dropped
        ]
        print_json("detect", {"stale": stale or None, "dropped": rows})
        return
    print_table(
        (("ended", "left"), ("session", "flex"), ("rule", "left"), ("why", "flex")),
        [((iso(one.last_ts) or "-")[:16], one.id, one.gate, one.reason) for one in dropped],
    )
    print(f"{plural(len(dropped), 'session')} dropped; [detect.quality] has the rules.")


def _print(found: Detection, wanted: CandidateFilter) -> None:
    if not found.ranked:
        print(_nothing(wanted))
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    sides: tuple[tuple[str, Literal["left", "right"]], ...] = (
        ("#", "right"),
        ("score", "right"),
        ("X", "left"),
        ("kind", "left"),
    )
    for heading, side in sides:
        table.add_column(heading, justify=side, no_wrap=True)
    table.add_column("candidate", overflow="fold")
    for number, one in enumerate(found.ranked[:_MOST_SHOWN], 1):
        text = Text(safe_line(one.candidate.title))
        for line in (*_figures(one), *_standing(found, one)):
            text.append(f"\n{safe_line(line)}", style="dim")
        table.add_row(
            str(number), f"{one.score:.1f}", _cross(one), one.candidate.kind, text, style=""
        )
    console().print(table)
    if len(found.ranked) > _MOST_SHOWN:
        print(f"{_MOST_SHOWN} of {len(found.ranked):,}; --json lists all.")
    print("X: in two agents or more; XX: in two sessions of each. `--why ID` traces one.")


def _nothing(wanted: CandidateFilter) -> str:
    """What to say of an empty list, and how to see more."""
    where = "Nothing was found" if wanted.is_all else "Nothing recurs above the floor"
    if any((wanted.min_frequency, wanted.flavor, wanted.repo, wanted.since_ts)):
        return f"{where}; fewer filters show more."
    return f"{where}." if wanted.is_all else f"{where}: --all shows what is below it."


def _cross(one: Ranked) -> str:
    return "XX" if one.is_cross_flavor_firm else "X" if one.is_cross_flavor else ""


def _figures(one: Ranked) -> Iterator[str]:
    """What stands below a title: how often and where, what it costs, what helps, its id."""
    times = f", {one.frequency:,} times" if one.frequency > len(one.candidate.members) else ""
    cost = f", {one.cost_impact:,} tokens" if one.cost_impact else ""
    yield f"{plural(len(one.candidate.members), 'session')}{times}{cost}: {', '.join(one.flavors)}"
    trend = sparkline(one.trend)
    seen = f"{one.state}, last seen {(iso(one.last_ts) or '-')[:10]}"
    yield f"{seen}{f' {trend}' if trend else ''}  {one.candidate.id}"
    if one.remedy is not None:
        yield f"helped in {one.remedy.sessions:,}: {one.remedy.verb} ({one.remedy.text})"


def _standing(found: Detection, one: Ranked) -> Iterator[str]:
    """What was decided, where somebody has."""
    standing = found.verdicts.get(one.candidate.id)
    if standing is None or standing.verdict == "open":
        return
    said: list[str] = [standing.verdict]
    if standing.merged_into:
        said.append(f"into {standing.merged_into}")
    if standing.changed:
        said.append(f"and changed since: {standing.changed}")
    notes = plural(len(standing.notes), "note") if standing.notes else ""
    yield f"{' '.join(said)}{f', {notes}' if notes else ''}"
