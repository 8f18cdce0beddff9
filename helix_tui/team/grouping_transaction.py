"""A team's PostgreSQL as one grouping has it open: statements, and what several parts remember."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from helix_tui.schema.candidate import Counted, Sighting
from helix_tui.schema.signal import Signal

_MANY = 500
_signals = msgspec.json.Decoder(list[Signal]).decode
# A signal with how its session counts.
SIGHTED = (
    "s.data, c.key, c.uid, c.root, c.flavor, c.repo, c.branch, c.first_ts, c.last_ts, c.gate, "
    "c.is_sub_agent"
)


class GroupingTransaction:
    """The transaction of one grouping; what it changes bears its number."""

    def __init__(self, connection: Any, number: int) -> None:
        self._connection = connection
        self._number = number
        self._changed_keys: set[int] = set()
        self._is_sub_agent: dict[int, bool] = {}
        self._month: dict[int, int] = {}
        self._before: dict[int, Counted] = {}
        # Who worked last on a branch, of those of which it was asked.
        self._last: dict[tuple[str, str], tuple[int, str]] = {}
        # What the signals say that were read last, by bucket, session and event. What people say is
        # in buckets of its own, wherever it was read: None.
        self._said: dict[tuple[int | None, str, int], str] = {}

    def _all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._connection.execute(sql, values).fetchall()
        return rows

    def _do(self, sql: str, *values: object) -> None:
        self._connection.execute(sql, values)

    def _do_many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        if rows:
            with self._connection.cursor() as cursor:
                cursor.executemany(sql, rows)

    def _said_in(self, bucket: int, cited: tuple[str, int]) -> str:
        return self._said.get((bucket, *cited)) or self._said.get((None, *cited), "")

    def _sighting(self, bucket: int | None, row: Sequence[Any]) -> Sighting:
        data, *session, is_sub_agent = row
        sighting = Sighting(Counted._make(session), _signals(data), is_sub_agent)
        for signal in sighting.signals:
            text = "\n".join(filter(None, (signal.before or signal.failed, signal.text)))
            for name in signal.fingerprints if text else ():
                self._said[bucket, sighting.session.id, name] = text
        return sighting


def in_runs(values: Sequence[Any]) -> Iterator[list[Any]]:
    """Values in runs of as many as one statement asks for."""
    for start in range(0, len(values), _MANY):
        yield list(values[start : start + _MANY])
