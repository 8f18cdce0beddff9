"""Small helpers for statements with many values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
# Below the number of variables that any SQLite in use accepts.
_MANY = 500


def chunks(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """The values in runs that one statement can take."""
    for start in range(0, len(values), _MANY):
        yield values[start : start + _MANY]


def marks(values: Sequence[object]) -> str:
    """As many question marks as there are values."""
    return ", ".join("?" * len(values))
