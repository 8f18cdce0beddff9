"""Helpers for statements with many values."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeVar

T = TypeVar("T")
# Below the number of variables that any SQLite in use accepts.
_MANY = 500
# A statement that inserts this many rows costs half as much a row as one that inserts one.
_ROWS = 16


def chunks(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """The values in runs that one statement can take."""
    for start in range(0, len(values), _MANY):
        yield values[start : start + _MANY]


def marks(values: Sequence[object]) -> str:
    """As many placeholders as there are values."""
    return ", ".join("?" * len(values))


def insert_rows(
    connection: sqlite3.Connection, insert: str, rows: Sequence[Sequence[object]]
) -> None:
    """Insert rows of one width; `insert` is the statement up to its values."""
    if not rows:
        return
    row = f"({marks(rows[0])})"
    many = len(rows) - len(rows) % _ROWS
    connection.executemany(
        f"{insert} VALUES {', '.join([row] * _ROWS)}",
        (tuple(chain.from_iterable(rows[at : at + _ROWS])) for at in range(0, many, _ROWS)),
    )
    connection.executemany(f"{insert} VALUES {row}", rows[many:])
