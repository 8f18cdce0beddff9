"""`helix detect`: what recurs across sessions and agents, the most worth a look first."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import plural, print_json, print_json_stream, print_table, screen_width
from helix_tui.cli.sessions import FlavorOption, RepoOption, SinceOption, parse_since
from helix_tui.text.safe import safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.engine import Engine
    from helix_tui.schema.candidate import Detection, Ranked

_COLUMNS: tuple[tuple[str, Literal["left", "right", "flex"]], ...] = (
    ("#", "right"),
    ("score", "right"),
    ("X", "left"),
    ("kind", "left"),
    ("candidate", "flex"),
    ("agents", "left"),
    ("sessions", "right"),
    ("times", "right"),
    ("tokens", "right"),
    ("state", "left"),
    ("trend", "left"),
    ("last seen", "left"),
)
_WIDE = 110
_NARROW_COLUMNS = 8
_BARS = " ▁▂▃▄▅▆▇█"
_TREND_WEEKS = 8


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("detect", help="List what recurs across sessions and agents, best first.")(_detect)


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
        typer.Option("--why", metavar="ID", help="One candidate: its score and every member."),
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    engine = load_engine(context, config, store, verbose)
    if is_dropped:
        _dropped(engine, as_json)
        return
    if why is not None:
        from helix_tui.cli.why import print_why

        traced = engine.candidate(why)
        _say_stale(traced.stale)
        print_why(traced, as_json)
        return
    from helix_tui.schema.candidate import CandidateFilter

    wanted = CandidateFilter(
        min_frequency, flavor, repo, parse_since(since) if since else None, is_all
    )
    found = engine.detect(wanted, has_excerpts=as_json)
    _say_stale(found.stale)
    if as_json:
        from helix_tui.cli.detect_json import each_json

        print_json_stream("detect", {}, "candidates", each_json(found))
    else:
        _print(found, is_filtered=wanted != CandidateFilter())


def _say_stale(reason: str) -> None:
    """Says in one line that there is more than is shown, and why."""
    if reason:
        said = f"helix: what is new is not grouped yet, this is from before: {safe_line(reason)}"
        print(said, file=sys.stderr)


def _dropped(engine: Engine, as_json: bool) -> None:
    dropped, stale = engine.dropped()
    _say_stale(stale)
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
        print_json("detect", {"dropped": rows})
        return
    print_table(
        (("ended", "left"), ("session", "flex"), ("rule", "left"), ("why", "flex")),
        [((iso(one.last_ts) or "-")[:16], one.id, one.gate, one.reason) for one in dropped],
    )
    print(f"{plural(len(dropped), 'session')} dropped; [detect.quality] has the rules.")


def _print(found: Detection, *, is_filtered: bool) -> None:
    if not found.ranked:
        todo = "; fewer filters show more" if is_filtered else ": --all shows what is below it"
        print(f"Nothing recurs above the floor{todo}.")
        return
    is_wide = screen_width() >= _WIDE
    columns = _COLUMNS if is_wide else _COLUMNS[:_NARROW_COLUMNS]
    rows = [_row(number, one)[: len(columns)] for number, one in enumerate(found.ranked, 1)]
    print_table(columns, rows)
    print("X: in two agents or more; XX: in two sessions of each. `--why ID` traces one.")


def _row(number: int, one: Ranked) -> tuple[str, ...]:
    cross = "XX" if one.is_cross_flavor_firm else "X" if one.is_cross_flavor else ""
    title = one.candidate.title
    if one.remedy is not None:
        title = f"{title}  [{one.remedy.text or one.remedy.title}]"
    return (
        str(number),
        f"{one.score:.1f}",
        cross,
        one.candidate.kind,
        f"{title}  {one.candidate.id}",
        " ".join(one.flavors),
        f"{len(one.candidate.members):,}",
        f"{one.frequency:,}",
        f"{one.cost_impact:,}",
        one.state,
        _sparkline(one.trend),
        (iso(one.last_ts) or "-")[:10],
    )


def _sparkline(trend: list[int]) -> str:
    recent = trend[-_TREND_WEEKS:]
    most = max(recent, default=0)
    if not most:
        return ""
    return "".join(_BARS[-(-week * (len(_BARS) - 1) // most)] for week in recent)
