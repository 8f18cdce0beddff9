"""Scores grouping on Loghub: messages of several systems with the templates that made them.

The labels are data for scoring only: nothing here, nor in the grouping, knows a system.
A folder of labels holds a `.tsv` file for each system, a line of which is the true template, a tab
and the message.
"""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from helix_tui.text.signature.batch import grouped


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


def board(folder: Path | None = None) -> list[SystemScore]:
    """The figures of every file of labels in a folder."""
    return [score_system(path) for path in sorted((folder or _labels()).glob("*.tsv"))]


def _labels() -> Path:
    return Path(os.environ.get("HELIX_SHARED", "../shared")) / "labels" / "loghub"
