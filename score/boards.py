"""The boards by name."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Literal, TypedDict

from score import effect, exit127, labelled, nine, planted, speech, volume
from score.figures import Board, BoardSkippedError, Goal, mean
from score.held_out import CATALOGS, CAUSES

LoghubFigure = Literal["ga", "f1", "pair_precision", "lines_per_second"]
LOGHUB_GOALS: dict[LoghubFigure, Goal] = {
    "ga": Goal(0.87),
    "f1": Goal(0.9),
    "pair_precision": Goal(0.98),
    "lines_per_second": Goal(20_000),
}


class LoghubRow(TypedDict):
    """What one system of Loghub scores."""

    system: str
    ga: float
    f1: float
    pair_precision: float
    lines_per_second: float


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a run takes on."""

    seeds: int
    sessions: int


def _loghub(_: Extent) -> Board:
    if importlib.util.find_spec("score.loghub") is None:
        raise BoardSkippedError("score/loghub.py is missing")
    return loghub_board(import_module("score.loghub").board())


def loghub_board(rows: Sequence[LoghubRow]) -> Board:
    """Means over the systems, and a line for each system."""
    figures = [mean(name, [row[name] for row in rows], goal) for name, goal in LOGHUB_GOALS.items()]
    details = [
        f"{row['system']}: GA {row['ga']:.3f}, F1 {row['f1']:.3f}, "
        f"pairs {row['pair_precision']:.3f}, {row['lines_per_second']:,.0f} lines/s"
        for row in rows
    ]
    return Board("Loghub-2k, one setting for all systems", figures, details, {"rows": list(rows)})


def _exit127(extent: Extent) -> Board:
    return exit127.board(min(extent.seeds, 5), extent.sessions)


def _planted(extent: Extent) -> Board:
    return planted.board("Planted patterns", None, extent.seeds, extent.sessions)


def _nine(extent: Extent) -> Board:
    return nine.board(min(extent.seeds, 5), extent.sessions)


def _held_out(catalog: str) -> Callable[[Extent], Board]:
    def run(extent: Extent) -> Board:
        title = f"Held-out {'causes' if catalog in CAUSES else 'patterns'}: {catalog}"
        return planted.board(title, catalog, extent.seeds, extent.sessions)

    return run


def _speech(extent: Extent) -> Board:
    return speech.board(extent.seeds)


def _labelled(_: Extent) -> Board:
    return labelled.board()


def _volume(_: Extent) -> Board:
    return volume.board()


def _effect(_: Extent) -> Board:
    return effect.board()


BOARDS: dict[str, Callable[[Extent], Board]] = {
    "loghub": _loghub,
    "exit127": _exit127,
    "planted": _planted,
    "nine": _nine,
    **{f"held-out-{name}": _held_out(name) for name in (*CATALOGS, *CAUSES)},
    "speech": _speech,
    "labels": _labelled,
    "volume": _volume,
    "effect": _effect,
}
