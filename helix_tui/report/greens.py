"""How long checks stayed red: from the first failure to the next pass, within a session."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from helix_tui.schema.report import CheckRow, CheckRun, WorkedSession


class Green(NamedTuple):
    """A check that passed again: the seconds since it failed (None without times), and the runs."""

    seconds: float | None
    runs: int


def greens_of(runs: Iterable[CheckRun]) -> tuple[int, list[Green]]:
    """How often one check of one session went red, and each time that it passed again.

    A run of which nothing is known neither begins nor ends a red time, but is one that was made.
    """
    reds = 0
    greens: list[Green] = []
    since: CheckRun | None = None
    made = 0
    for run in runs:
        made += 1
        if run.state == "failed" and since is None:
            since, made = run, 0
            reds += 1
        elif run.state == "passed" and since is not None:
            greens.append(Green(_seconds(since, run), made))
            since = None
    return reds, greens


def _seconds(red: CheckRun, green: CheckRun) -> float | None:
    if red.ts is None or green.ts is None:
        return None
    return max(0, green.ts - red.ts) / 1000


def check_rows(sessions: Iterable[WorkedSession]) -> list[CheckRow]:
    """Every check that was run, the most frequent first."""
    by_name: dict[str, dict[str, list[CheckRun]]] = {}
    for session in sessions:
        for run in session.runs:
            by_name.setdefault(run.name, {}).setdefault(session.id, []).append(run)
    rows = [_check_row(name, by_session) for name, by_session in by_name.items()]
    return sorted(rows, key=lambda row: (-row.runs, row.key))


def _check_row(name: str, by_session: dict[str, list[CheckRun]]) -> CheckRow:
    runs = [run for of_session in by_session.values() for run in of_session]
    states = [run.state for run in runs]
    reds, greens = 0, []
    for of_session in by_session.values():
        more, passed = greens_of(of_session)
        reds += more
        greens += passed
    timed = [green.seconds for green in greens if green.seconds is not None]
    return CheckRow(
        name,
        runs[-1].kind,
        len(runs),
        states.count("passed"),
        states.count("failed"),
        states.count("unknown"),
        reds,
        len(greens),
        median(timed) if timed else None,
        median(green.runs for green in greens) if greens else None,
        sorted(by_session),
    )
