"""A team's PostgreSQL as one grouping has it open: statements, and what several parts remember."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from helix_tui.schema.candidate import Counted

_MANY = 500


class GroupingTransaction:
    """The transaction of one grouping; what it changes bears its number."""

    def __init__(self, connection: Any, number: int) -> None:
        self._connection = connection
        self._number = number
        self._changed_keys: set[int] = set()
        self._is_sub_agent: dict[int, bool] = {}
        self._before: dict[int, Counted] = {}
        # What the signals say that were read last, by session and event.
        self._said: dict[tuple[str, int], str] = {}

    def _all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._connection.execute(sql, values).fetchall()
        return rows

    def _do(self, sql: str, *values: object) -> None:
        self._connection.execute(sql, values)

    def _do_many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        if rows:
            with self._connection.cursor() as cursor:
                cursor.executemany(sql, rows)


def in_runs(values: Sequence[Any]) -> Iterator[list[Any]]:
    """Values in runs of as many as one statement asks for."""
    for start in range(0, len(values), _MANY):
        yield list(values[start : start + _MANY])
