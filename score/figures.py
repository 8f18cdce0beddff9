"""Figures of a board, their intervals and their goals."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

Z95 = 1.959963984540054
DRAWS = 2000


class BoardSkippedError(Exception):
    """What a board needs is not here; its goals are neither reached nor missed."""


class BoardFailedError(Exception):
    """Helix did not do what the board asks of it; its goals are missed."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound that a figure should keep."""

    bound: float
    is_least: bool = True

    def holds(self, value: float) -> bool:
        """Whether the figure keeps it."""
        return value >= self.bound if self.is_least else value <= self.bound

    def __str__(self) -> str:
        return f"{'≥' if self.is_least else '≤'} {self.bound:g}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of a board: a value, its 95 % interval where there is one, and its goal."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    goal: Goal | None = None
    note: str = ""

    @property
    def is_good(self) -> bool | None:
        """Whether the goal is reached; None where there is none."""
        return None if self.goal is None else self.goal.holds(self.value)


@dataclass(frozen=True, slots=True)
class Board:
    """The figures of one question, and what there is to say beside them."""

    title: str
    figures: list[Figure]
    details: list[str] = field(default_factory=list)
    data: dict[str, object] = field(default_factory=dict)

    def missed(self) -> list[Figure]:
        """The figures whose goal is not reached."""
        return [figure for figure in self.figures if figure.is_good is False]


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share; without anything counted, all is possible."""
    if not of:
        return 0.0, 1.0
    share, square = hits / of, Z95 * Z95
    middle = share + square / (2 * of)
    spread = Z95 * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    below = 1 + square / of
    return max(0.0, (middle - spread) / below), min(1.0, (middle + spread) / below)


def bootstrap(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of a mean, by drawing the values anew; the same at each call."""
    draw = random.Random("bootstrap")
    means = sorted(fmean(draw.choices(values, k=len(values))) for _ in range(DRAWS))
    return means[round(DRAWS * 0.025)], means[round(DRAWS * 0.975) - 1]


def share(name: str, hits: int, of: int, goal: Goal | None = None) -> Figure:
    """A share with its interval; with nothing counted there is no figure to judge."""
    if not of:
        return Figure(name, math.nan, note="nothing to count")
    low, high = wilson(hits, of)
    return Figure(name, hits / of, low, high, goal, f"{hits} of {of}")


def mean(name: str, values: Sequence[float], goal: Goal | None = None, note: str = "") -> Figure:
    """A mean over seeds with its interval."""
    low, high = bootstrap(values)
    return Figure(name, fmean(values), low, high, goal, note)
