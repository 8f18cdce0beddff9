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
        # The signals that were read last, by bucket and session. What people say is in buckets of
        # its own, wherever it was read: None.
        self._read: dict[tuple[int | None, str], list[Signal]] = {}

    def _all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._connection.execute(sql, values).fetchall()
        return rows

    def _do(self, sql: str, *values: object) -> None:
        self._connection.execute(sql, values)

    def _do_many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        if rows:
            with self._connection.cursor() as cursor:
                cursor.executemany(sql, rows)

    def _said_in(self, bucket: int, session: str, event: int) -> str:
        """What a signal says of an event; where several do, the last."""
        found = self._read.get((bucket, session)) or self._read.get((None, session), [])
        said = ""
        for signal in found:
            if event in signal.fingerprints:
                parts = signal.before or signal.failed, signal.text
                said = "\n".join(filter(None, parts)) or said
        return said

    def _sighting(self, bucket: int | None, row: Sequence[Any]) -> Sighting:
        data, *session, is_sub_agent = row
        sighting = Sighting(Counted._make(session), _signals(data), is_sub_agent)
        self._read[bucket, sighting.session.id] = sighting.signals
        return sighting


def in_runs(values: Sequence[Any]) -> Iterator[list[Any]]:
    """Values in runs of as many as one statement asks for."""
    for start in range(0, len(values), _MANY):
        yield list(values[start : start + _MANY])
