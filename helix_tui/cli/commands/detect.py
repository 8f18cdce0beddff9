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
    TeamOption,
    VerboseOption,
    load_engine,
    named,
    parse_since,
    tell_unknown,
)
from helix_tui.cli.output import print_json, print_json_stream, print_rich, print_table
from helix_tui.text.human import plural, sparkline
from helix_tui.text.safe import safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.engine import Engine
    from helix_tui.schema.board import Detection
    from helix_tui.schema.candidate import CandidateFilter, Ranked
    from helix_tui.schema.context import Told

ListOrder = Literal["tier", "score", "sessions", "recent"]
# Nobody reads more from a terminal, and laying out takes its time.
_MOST_SHOWN = 200


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "detect",
        help="List what recurs across sessions and agents, best first.\n\n"
        "Problems come with what overcame them. Cross-flavor ones stand first, in each band what "
        "can be fixed, then what is worth knowing. What a remedy fixed is listed from two "
        "conversations on, others from [detect] min_sessions on. The options choose what is "
        "listed, --all adds what is below the floor and the rest; --why shows what a score is "
        "made of and every session behind it, --dropped the sessions that do not count, with "
        "the rule.",
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
        bool,
        typer.Option("--all", help="Also what is below the floor of sessions, and the last tier."),
    ] = False,
    order: Annotated[
        ListOrder | None,
        typer.Option("--order", help="Another order; by itself cross-flavor first, then tiers."),
    ] = None,
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
    is_team: TeamOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.schema.candidate import CandidateFilter

    if is_dropped and why is not None:
        raise typer.BadParameter("--dropped lists sessions, and --why traces a candidate")
    engine = load_engine(context, config, store, verbose, is_team=is_team)
    tell_unknown(engine, flavor or None, repo or None)
    since_ts = parse_since(since) if since else None
    candidate_filter = CandidateFilter(
        min_frequency, flavor or None, repo or None, since_ts, is_all, order or "band"
    )
    if is_dropped:
        _dropped(engine, candidate_filter, as_json)
        return
    if why is not None:
        from helix_tui.cli.commands.detect_why import print_why

        traced = engine.candidates.one(why)
        say_stale(traced.stale)
        print_why(traced, as_json)
        return
    detection = engine.candidates.detect(candidate_filter, has_excerpts=as_json)
    say_stale(detection.stale)
    if as_json:
        from helix_tui.cli.commands.detect_json import each_json

        print_json_stream(
            "detect", {"stale": detection.stale or None}, "candidates", each_json(detection)
        )
    else:
        _print(detection, candidate_filter)


def say_stale(reason: str) -> None:
    """Say in one line that the list is out of date, and why."""
    if reason:
        message = f"helix: what is new is not grouped yet, this is from before: {safe_line(reason)}"
        print(message, file=sys.stderr)


def _dropped(engine: Engine, candidate_filter: CandidateFilter, as_json: bool) -> None:
    dropped, stale = engine.candidates.dropped(candidate_filter)
    say_stale(stale)
    if as_json:
        rows = [
            {
                "session": session.id,
                "flavor": session.flavor,
                "repo": session.repo,
                "ended_at": iso(session.last_ts),
                "events": session.events,
                "gate": session.gate,
                "reason": session.reason,
            }
            for session in dropped
        ]
        print_json("detect", {"stale": stale or None, "dropped": rows})
        return
    print_table(
        (("ended", "left"), ("session", "flex"), ("rule", "left"), ("why", "flex")),
        [
            ((iso(session.last_ts) or "-")[:16], session.id, session.gate, session.reason)
            for session in dropped
        ],
    )
    print(f"{plural(len(dropped), 'session')} dropped; [detect.quality] has the rules.")


def _print(detection: Detection, candidate_filter: CandidateFilter) -> None:
    if not detection.ranked:
        print(_nothing(candidate_filter))
        return
    from rich.table import Table
    from rich.text import Text

    from helix_tui.schema.context import NOT_TOLD

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    sides: tuple[tuple[str, Literal["left", "right"]], ...] = (
        ("#", "right"),
        ("score", "right"),
        ("X", "left"),
        ("tier", "left"),
    )
    for heading, side in sides:
        table.add_column(heading, justify=side, no_wrap=True)
    table.add_column("candidate", overflow="fold")
    for number, ranked in enumerate(detection.ranked[:_MOST_SHOWN], 1):
        text = Text(safe_line(ranked.candidate.title))
        told = detection.told.get(ranked.candidate.id, NOT_TOLD)
        besides = (*_told(told), *_see_also(detection, ranked), *_standing(detection, ranked))
        for line in (*_figures(ranked), *besides):
            text.append(f"\n{safe_line(line)}", style="dim")
        table.add_row(
            str(number),
            f"{ranked.score:.1f}",
            _cross(ranked),
            ranked.candidate.tier,
            text,
            style="",
        )
    print_rich(table)
    if len(detection.ranked) > _MOST_SHOWN:
        print(f"{_MOST_SHOWN} of {len(detection.ranked):,}; --json lists all.")
    print("X: in two agents or more; XX: in two sessions of each. `--why ID` traces one.")


def _nothing(candidate_filter: CandidateFilter) -> str:
    """What to say of an empty list, and how to see more."""
    where = "Nothing was found" if candidate_filter.is_all else "Nothing recurs above the floor"
    if any(
        (
            candidate_filter.min_frequency,
            candidate_filter.flavor,
            candidate_filter.repo,
            candidate_filter.since_ts,
        )
    ):
        return f"{where}; fewer filters show more."
    return f"{where}." if candidate_filter.is_all else f"{where}: --all shows what is below it."


def _cross(ranked: Ranked) -> str:
    return "XX" if ranked.is_cross_flavor_firm else "X" if ranked.is_cross_flavor else ""


def _figures(ranked: Ranked) -> Iterator[str]:
    """What stands below a title: how often and where, what it costs, what helps, its id."""
    from helix_tui.text.came_of_it import came_of_it
    from helix_tui.text.leads import exact_lead, seen_words
    from helix_tui.text.shape_change import MEND

    count = ranked.brief.sessions
    times = f", {ranked.frequency:,} times" if ranked.frequency > count else ""
    if most := ranked.candidate.mostly_once:
        times += f" ({most:,} of them in one)"
    cost = f", {ranked.cost_impact:,} tokens" if ranked.cost_impact else ""
    sessions = plural(count, "session")
    yield f"{sessions}{times}{cost}: {', '.join(ranked.flavors)}"
    if ranked.brief.team is not None:
        from helix_tui.text.team_words import span_words

        yield span_words(ranked.brief.team)
    trend = sparkline(ranked.trend)
    last_seen = f"{ranked.state}, last seen {(iso(ranked.last_ts) or '-')[:10]}"
    yield f"{last_seen}{f' {trend}' if trend else ''}  {ranked.candidate.id}"
    remedy = ranked.remedy
    # Where the output of a check names what mends it, that says more than that it was mended.
    if remedy is not None and not (remedy.verb == MEND and ranked.candidate.tier == "know"):
        is_bare = remedy.is_weakening or remedy.further >= remedy.sessions
        of = f"{remedy.of:,}{' read' if ranked.candidate.drawn else ''}"
        rate = "" if is_bare else f"worked in {remedy.sessions:,} of {of}: "
        yield f"{rate}{remedy.text}"
    if lead := exact_lead(ranked.candidate):
        yield f"{seen_words(lead)}: {lead.text}"
    if hint := ranked.candidate.hint:
        yield f"its own output says: “{hint}”"
    yield from came_of_it(ranked.candidate)


def _told(told: Told) -> Iterator[str]:
    """The line that says it already, and what became of it."""
    if told.state == "no":
        return
    from helix_tui.text.told import told_words

    yield told_words(told)
    line = told.lines[0]
    yield f"  {line.file}:{line.line}: {line.text}"


def _see_also(detection: Detection, ranked: Ranked) -> Iterator[str]:
    """The rows that may be of one thing with this one."""
    if names := detection.similar.get(ranked.candidate.id, []):
        yield f"see also {', '.join(names)}"


def _standing(detection: Detection, ranked: Ranked) -> Iterator[str]:
    """The verdict on a candidate, where there is one."""
    if part := detection.was_part_of.get(ranked.candidate.id):
        yield part
    reviewed = detection.reviewed.get(ranked.candidate.id)
    if reviewed is not None and reviewed.review.assigned:
        yield f"for {reviewed.review.assigned} to look at"
    if reviewed is None or reviewed.verdict == "open":
        return
    review = reviewed.review
    parts: list[str] = [reviewed.verdict]
    if ranked.brief.team is not None:
        parts.append(f"by {review.author}")
        parts += [f"({one.author} {one.verdict} it before)" for one in review.against]
    if review.merged_into:
        parts.append(f"into {review.merged_into}")
    if reviewed.changed:
        parts.append(f"and changed since: {reviewed.changed}")
    notes = plural(len(review.notes), "note") if review.notes else ""
    yield f"{' '.join(parts)}{f', {notes}' if notes else ''}"
