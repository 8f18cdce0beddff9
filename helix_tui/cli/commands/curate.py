"""`helix curate`: a review in a plain terminal, or all that clears the bar in one go."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from helix_tui.cli.commands.detect import say_stale
from helix_tui.cli.commands.verdicts import pattern_json
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    TeamOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.errors import ExitCode
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.engine import Engine
    from helix_tui.schema.board import AutoReport

_MOST_LISTED = 20


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "curate",
        help="Review candidates one by one, or promote what clears the bar.\n\n"
        "Groups what is new, then shows one candidate after the other: figures, the gate "
        "floor by floor, what approving would write and where, the drafted guidance, "
        "excerpts, notes. One key decides, without enter: a approve, r reject, d discuss, s "
        "skip, u undo, e edit in $VISUAL or $EDITOR, n a new pattern instead of the one it "
        "resembles, v everything, q quit. Words of a log are shown with their origin and "
        "confirmed by y. Without a terminal it reads one key a line.",
    )(_curate)


def _curate(
    context: typer.Context,
    is_auto: Annotated[
        bool, typer.Option("--auto-approve", help="Promote all that clears the bar, ask nothing.")
    ] = False,
    is_team: TeamOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    engine = load_engine(context, config, store, verbose, is_team=is_team)
    if is_auto:
        _approve_all(engine, as_json)
    else:
        _review(engine, as_json)


def _approve_all(engine: Engine, as_json: bool) -> None:
    report, stale = engine.candidates.approve_all()
    say_stale(stale)
    _tell_notices(report.notices)
    if as_json:
        print_json(
            "curate",
            {
                "stale": stale or None,
                "promoted": report.promoted,
                "provisional": report.provisional,
                "rejected": 0,
                "discussed": 0,
                "skipped_remembered": report.skipped_remembered,
                "below_floor": [candidate._asdict() for candidate in report.below_floor],
                "patterns": [pattern_json(candidate) for candidate in report.patterns],
                "merged": report.merged,
                "notices": report.notices,
            },
        )
    else:
        _print_report(report)
    if report.notices:
        raise typer.Exit(ExitCode.PROBLEMS)


def _print_report(report: AutoReport) -> None:
    changed = [pattern for pattern in report.patterns if pattern.action != "unchanged"]
    if changed:
        print_table(
            (("", "left"), ("pattern", "flex"), ("version", "left"), ("status", "left")),
            [
                (
                    pattern.action,
                    pattern.pattern.id,
                    pattern.pattern.version,
                    pattern.pattern.status,
                )
                for pattern in changed
            ],
        )
    missed = report.below_floor
    if missed:
        print_table(
            (("left out", "flex"), ("floor", "left"), ("is", "flex"), ("needs", "flex")),
            [
                (pattern.id, pattern.floor, str(pattern.actual), str(pattern.needed))
                for pattern in missed[:_MOST_LISTED]
            ],
        )
        if len(missed) > _MOST_LISTED:
            print(f"{_MOST_LISTED} of {len(missed):,}; --json lists all.")
    same = len(report.patterns) - len(changed)
    left_out = len({pattern.id for pattern in missed})
    print(
        f"{plural(report.promoted, 'pattern')} promoted, {report.provisional:,} of them "
        f"provisional; {same:,} unchanged; {plural(left_out, 'candidate')} left out."
    )


def _review(engine: Engine, as_json: bool) -> None:
    from helix_tui.cli.review.keys import open_keys
    from helix_tui.cli.review.loop import ReviewLoop
    from helix_tui.cli.review.screen import screen_for
    from helix_tui.cli.review.tally import Tally
    from helix_tui.schema.candidate import CandidateFilter

    board = engine.candidates.board(CandidateFilter())
    say_stale(board.stale)
    names = [reviewed.ranked.candidate.id for reviewed in board.reviewed if reviewed.is_asked]
    tally = Tally(len(names), len(board.reviewed) - len(names))
    if not names:
        tally.notice(board.troubles)  # else every preview repeats them
    screen = screen_for(as_json=as_json)
    is_interrupted = False
    try:
        with open_keys() as keys:
            loop = ReviewLoop(engine.verdicts, engine.config.curate, keys, screen, names, tally)
            loop.run()
    except KeyboardInterrupt:
        is_interrupted = True
        screen.tell("")
    if not names:
        screen.tell("No candidate waits for a verdict.")
    else:
        screen.tell(*tally.summary())
    _tell_notices(tally.notices)
    if as_json:
        print_json("curate", {"stale": board.stale or None, **tally.fields()})
    if is_interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)
    if tally.notices:
        raise typer.Exit(ExitCode.PROBLEMS)


def _tell_notices(notices: Iterable[str]) -> None:
    for notice in notices:
        for line in notice.split("\n"):
            print(f"helix: {safe_line(line)}", file=sys.stderr)
