"""`make score`: prints the boards of detection, each figure against its goal."""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from dataclasses import asdict

from score.boards import BOARDS, Extent
from score.figures import Board, BoardFailedError, BoardSkippedError, Figure

MISSED = 1


def main() -> None:
    """Runs what was asked for; exits with 1 when a goal is missed."""
    parser = argparse.ArgumentParser(prog="score", description=__doc__)
    parser.add_argument(
        "boards",
        nargs="*",
        metavar="BOARD",
        help=f"of {', '.join(BOARDS)}; held-out is all of its kind; all if none is named",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--seeds", type=int, default=20, metavar="N", help="planted homes: %(default)s"
    )
    parser.add_argument(
        "--sessions", type=int, default=300, metavar="N", help="of each home: %(default)s"
    )
    arguments = parser.parse_args()
    if arguments.sessions < 150 or arguments.seeds < 1:
        parser.error("at least 1 seed and 150 sessions, or the patterns do not fit")
    names = [name for wanted in arguments.boards or BOARDS for name in _named(parser, wanted)]
    # Progress belongs on stderr where stdout is one JSON object.
    out = sys.stderr if arguments.json else sys.stdout
    made: dict[str, object] = {}
    missed: list[str] = []
    for name in dict.fromkeys(names):
        started = time.perf_counter()
        try:
            board = BOARDS[name](Extent(arguments.seeds, arguments.sessions))
        except BoardSkippedError as reason:
            print(f"{name}: skipped: {reason}\n", file=out, flush=True)
            made[name] = {"skipped": str(reason)}
            continue
        except BoardFailedError as reason:
            print(f"{name}: could not be taken: {reason}\n", file=out, flush=True)
            made[name] = {"failed": str(reason)}
            missed.append(f"{name}: {reason}")
            continue
        missed += [f"{name}: {figure.name} {_value(figure)}" for figure in board.missed()]
        print(f"{as_text(board)}\n  {time.perf_counter() - started:.0f} s\n", file=out, flush=True)
        made[name] = as_json(board)
    for line in missed:
        print(f"missed: {line}", file=out)
    if arguments.json:
        print(json.dumps({"schema": "helix.score/1", "boards": made, "missed": missed}, indent=1))
    if missed:
        raise SystemExit(MISSED)


def _named(parser: argparse.ArgumentParser, wanted: str) -> list[str]:
    names = [name for name in BOARDS if name == wanted or name.startswith(f"{wanted}-")]
    if not names:
        parser.error(f"no such board: {wanted}; there are {', '.join(BOARDS)}")
    return names


def as_text(board: Board) -> str:
    """A board as lines of a table, details beneath."""
    lines = [board.title]
    for figure in board.figures:
        interval = ""
        if figure.low is not None and figure.high is not None:
            interval = f"[{figure.low:.4g}, {figure.high:.4g}]"
        verdict = ""
        if figure.goal is not None:
            verdict = f"{'ok' if figure.is_good else 'MISSED'}, goal {figure.goal}"
        row = f"  {figure.name:<28}{_value(figure):>10}  {interval:<20}{verdict:<22}{figure.note}"
        lines.append(row.rstrip())
    return "\n".join([*lines, *(f"    {detail}" for detail in board.details)])


def _value(figure: Figure) -> str:
    return "-" if math.isnan(figure.value) else f"{figure.value:.4g}"


def as_json(board: Board) -> dict[str, object]:
    """A board as plain data."""
    figures = [
        {
            **asdict(figure),
            "value": None if math.isnan(figure.value) else figure.value,
            "goal": None if figure.goal is None else str(figure.goal),
            "is_good": figure.is_good,
        }
        for figure in board.figures
    ]
    return {"title": board.title, "figures": figures, "details": board.details, **board.data}


if __name__ == "__main__":
    main()
