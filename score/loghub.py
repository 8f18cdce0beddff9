"""Scores grouping on Loghub: messages of several systems with the templates that made them.

The labels are data for scoring only: nothing here, nor in the grouping, knows a system.
`python -m score.loghub [FOLDER]` prints the board; the folder holds a `.tsv` file for each system,
a line of which is the true template, a tab and the message.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from helix_tui.text.batch import grouped

GOALS = {"ga": 0.87, "f1": 0.90, "pair_precision": 0.98, "lines_per_second": 20_000}
_RESAMPLES = 2000


class SystemScore(TypedDict):
    """The figures of one system."""

    system: str
    messages: int
    true_groups: int
    groups: int
    ga: float
    f1: float
    pair_precision: float
    lines_per_second: float


class Mean(TypedDict):
    """A mean over systems, with its 95 % interval by resampling systems, and the goal."""

    mean: float
    low: float
    high: float
    goal: float


class Board(TypedDict):
    """The whole board as plain data."""

    board: str
    systems: list[SystemScore]
    means: dict[str, Mean]
    is_met: bool


class Figures(NamedTuple):
    """How well groups fit the true ones."""

    ga: float
    f1: float
    pair_precision: float


def figures(true: Sequence[Hashable], found: Sequence[Hashable]) -> Figures:
    """Grouping accuracy, F1 over groups and precision over pairs."""
    true_groups, found_groups = _members(true), _members(found)
    exact = set(map(tuple, true_groups.values()))
    right = [members for members in found_groups.values() if tuple(members) in exact]
    pairs = sum(_pairs(len(members)) for members in found_groups.values())
    together = sum(
        _pairs(count)
        for members in found_groups.values()
        for count in Counter(true[at] for at in members).values()
    )
    return Figures(
        sum(map(len, right)) / len(true) if true else 1.0,
        2 * len(right) / (len(true_groups) + len(found_groups)) if true else 1.0,
        together / pairs if pairs else 1.0,
    )


def _members(labels: Sequence[Hashable]) -> dict[Hashable, list[int]]:
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for at, label in enumerate(labels):
        groups[label].append(at)
    return groups


def _pairs(count: int) -> int:
    return count * (count - 1) // 2


def score_system(path: Path) -> SystemScore:
    """The figures of one file of labels."""
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    rows = [line.partition("\t") for line in lines if line]
    start = time.process_time()  # others may use the machine too
    found = [row.group for row in grouped(message for _, _, message in rows)]
    seconds = time.process_time() - start
    true = [template for template, _, _ in rows]
    fit = figures(true, found)
    return SystemScore(
        system=path.stem,
        messages=len(rows),
        true_groups=len(set(true)),
        groups=len(set(found)),
        ga=fit.ga,
        f1=fit.f1,
        pair_precision=fit.pair_precision,
        lines_per_second=len(rows) / max(seconds, 1e-9),
    )


def mean_of(values: Sequence[float], goal: float) -> Mean:
    """A mean with its interval; the resampling is the same on every run."""
    chance = random.Random(0)
    means = sorted(
        sum(chance.choices(values, k=len(values))) / len(values) for _ in range(_RESAMPLES)
    )
    low, high = means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES) - 1]
    return Mean(mean=sum(values) / len(values), low=low, high=high, goal=goal)


def default_folder() -> Path:
    """Where the labels lie."""
    return Path(os.environ.get("HELIX_SHARED", "../shared")) / "labels" / "loghub"


def board(folder: Path | None = None) -> Board:
    """The board over every file of labels in a folder."""
    paths = sorted((folder or default_folder()).glob("*.tsv"))
    systems = [score_system(path) for path in paths]
    means = (
        {
            "ga": mean_of([system["ga"] for system in systems], GOALS["ga"]),
            "f1": mean_of([system["f1"] for system in systems], GOALS["f1"]),
            "pair_precision": mean_of(
                [system["pair_precision"] for system in systems], GOALS["pair_precision"]
            ),
            "lines_per_second": mean_of(
                [system["lines_per_second"] for system in systems], GOALS["lines_per_second"]
            ),
        }
        if systems
        else {}
    )
    is_met = bool(means) and all(mean["mean"] >= mean["goal"] for mean in means.values())
    return Board(board="loghub", systems=systems, means=means, is_met=is_met)


def print_board(found: Board) -> None:
    """The board for people."""
    print(f"{'system':<14}{'GA':>8}{'F1':>8}{'pairs':>8}{'groups':>8}{'true':>6}{'lines/s':>10}")
    for system in found["systems"]:
        print(
            f"{system['system']:<14}{system['ga']:>8.3f}{system['f1']:>8.3f}"
            f"{system['pair_precision']:>8.3f}{system['groups']:>8}{system['true_groups']:>6}"
            f"{system['lines_per_second']:>10,.0f}"
        )
    for name, mean in found["means"].items():
        form = ",.0f" if name == "lines_per_second" else ".3f"
        interval = f"[{mean['low']:{form}}, {mean['high']:{form}}]"
        print(f"mean {name}: {mean['mean']:{form}} {interval}, goal {mean['goal']:{form}}")


def main() -> int:
    """Prints the board; 1 where a goal is not met, 2 where there are no labels."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--json"]
    found = board(Path(arguments[0]) if arguments else None)
    if not found["systems"]:
        print("No labels: name their folder, or set HELIX_SHARED.", file=sys.stderr)
        return 2
    if "--json" in sys.argv:
        print(json.dumps(found))
    else:
        print_board(found)
    return 0 if found["is_met"] else 1


if __name__ == "__main__":
    sys.exit(main())
