"""Counts of the shapes that a session ran, and of the kinds of files that it edited."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from helix_tui.digest.shape.kinds import kind_of_path
from helix_tui.digest.tables import tally
from helix_tui.schema import Facts, ShapeTally
from helix_tui.text.shape import Shape

_UNKNOWN_KIND = "file"


def count_runs(facts: Facts, shapes: Iterable[Shape]) -> None:
    """Counts what a call runs."""
    for shape in shapes:
        _of(facts, shape).runs += 1


def count_passed(facts: Facts, shapes: Iterable[Shape]) -> None:
    """Counts what a call ran that passed."""
    for shape in shapes:
        _of(facts, shape).passed += 1


def count_failed(facts: Facts, shape: Shape) -> None:
    """Counts the part of a call that failed."""
    _of(facts, shape).failed += 1


def count_edit(facts: Facts, file: str) -> None:
    """Counts a file that was edited, by its kind."""
    kind = kind_of_path(file) or _UNKNOWN_KIND
    facts.kinds_edited[kind] = facts.kinds_edited.get(kind, 0) + 1


def _of(facts: Facts, shape: Shape) -> ShapeTally:
    return tally(facts.shapes, _text_of(shape), "shapes", ShapeTally)


@lru_cache(maxsize=1024)
def _text_of(shape: Shape) -> str:
    return shape.text
