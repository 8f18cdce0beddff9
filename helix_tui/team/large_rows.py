"""Large buckets of a team: a row for each conversation in one, and sums over all of them."""

# ruff: noqa: D102 - what each of them does is said in helix_tui/detect/rows.py

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from helix_tui.schema.candidate import Brief, Member, Sighting
from helix_tui.schema.large import Conversation, Large
from helix_tui.store.detection.candidates import pack_brief, unpack_brief
from helix_tui.team.grouping_transaction import SIGHTED, GroupingTransaction
from helix_tui.text.times import EARLIEST

_Pairs = Sequence[tuple[int, int]]
_Found = dict[tuple[int, str], Conversation]
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Large).decode
_COLUMNS = (
    "bucket, root, keys, rank, is_cured, began, flavor, repo, count, chars, ms, first_ts, "
    "last_ts, prints, is_cut"
)
_SELECT = ", ".join(f"h.{name}" for name in _COLUMNS.split(", "))
# An index finds one session or event at a time; asked for many at once it reads all of them. Behind
# OFFSET nothing is joined in another way.
_OF = (
    f"SELECT {_SELECT} FROM unnest(%s::bigint[], %s::bigint[]) AS t (bucket, one), "
    "LATERAL (SELECT * FROM helix.held WHERE {} @> ARRAY[t.one] OFFSET 0) AS h "
    "WHERE h.bucket = t.bucket"
)
_NOW = (
    f"SELECT {_SELECT} FROM unnest(%s::bigint[], %s::bigint[]) AS t (bucket, key) "
    "JOIN helix.counted c ON c.key = t.key "
    'JOIN helix.held h ON h.bucket = t.bucket AND h.root = c.root COLLATE "C"'
)
_IN_ORDER = "ORDER BY rank, began, root LIMIT %s)"
_DRAWN = (
    f"SELECT {_SELECT} FROM unnest(%s::bigint[]) AS t (bucket), LATERAL ("
    "(SELECT * FROM helix.held WHERE bucket = t.bucket AND is_cured AND rank IS NOT NULL "
    f"{_IN_ORDER} UNION ALL (SELECT * FROM helix.held WHERE bucket = t.bucket AND NOT is_cured "
    f"AND rank IS NOT NULL {_IN_ORDER} UNION ALL (SELECT * FROM helix.held "
    "WHERE bucket = t.bucket AND rank IS NOT NULL ORDER BY began, rank, root LIMIT 1)) AS h"
)


class Many(Protocol):
    """All conversations of a large bucket, and sums over them."""

    @property
    def conversations(self) -> Iterable[Conversation]: ...

    @property
    def large(self) -> Large: ...


class LargeBuckets(GroupingTransaction):
    """The large buckets of a team, inside of a transaction."""

    _touched: dict[int, set[int]]

    def forget_large(self) -> None:
        """Keep nothing of any bucket: all of them are read."""
        self._do("DELETE FROM helix.large_bucket")
        self._do("DELETE FROM helix.held")

    def touched_in(self, buckets: Sequence[int]) -> dict[int, set[int]]:
        return {name: self._touched[name] for name in buckets if name in self._touched}

    def large_in(self, buckets: Sequence[int]) -> dict[int, Large]:
        rows = self._all(
            "SELECT bucket, data FROM helix.large_bucket WHERE bucket = ANY(%s)", list(buckets)
        )
        return {name: _decode(data) for name, data in rows}

    def write_large(self, changed: Mapping[int, Large]) -> None:
        self._do_many(
            "INSERT INTO helix.large_bucket VALUES (%s, %s) ON CONFLICT (bucket) "
            "DO UPDATE SET data = excluded.data",
            [(name, _encode(large)) for name, large in changed.items()],
        )

    def drop_large(self, buckets: Sequence[int]) -> None:
        for table in ("large_bucket", "held") if buckets else ():
            self._do(f"DELETE FROM helix.{table} WHERE bucket = ANY(%s)", list(buckets))

    def keep_many(self, bucket: int, many: Many | None) -> None:
        if many is not None:
            self.drop_large([bucket])
            self.write_large({bucket: many.large})
            self.replace_conversations([], [(bucket, one) for one in many.conversations])

    def conversations_of(self, sessions: _Pairs) -> _Found:
        return self._found(_OF.format("keys"), sessions) | self._found(_NOW, sessions)

    def conversations_citing(self, events: _Pairs) -> _Found:
        return self._found(_OF.format("prints"), events)

    def _found(self, select: str, pairs: _Pairs) -> _Found:
        rows = self._all(select, *_columns(pairs)) if pairs else []
        return {(row[0], row[1]): _conversation(row) for row in rows}

    def sightings_at(self, sessions: _Pairs) -> dict[int, list[Sighting]]:
        found: dict[int, list[Sighting]] = {}
        for name, *row in self._rows_at(sessions):
            found.setdefault(name, []).append(self._sighting(name, row))
        return found

    def _rows_at(self, sessions: _Pairs) -> list[tuple[Any, ...]]:
        return self._all(
            f"SELECT s.bucket, {SIGHTED} FROM unnest(%s::bigint[], %s::bigint[]) "
            "AS t (bucket, key), LATERAL (SELECT * FROM helix.counted WHERE key = t.key "
            "AND gate IS NULL OFFSET 0) AS c, LATERAL (SELECT bucket, data FROM helix.signal "
            "WHERE month = c.month AND key = t.key AND bucket = t.bucket OFFSET 0) AS s "
            "WHERE s.data IS NOT NULL",
            *_columns(sessions),
        )

    def replace_conversations(
        self, gone: Sequence[tuple[int, str]], new: Sequence[tuple[int, Conversation]]
    ) -> None:
        if gone:
            self._do(
                "DELETE FROM helix.held h USING unnest(%s::bigint[], %s::text[]) "
                'AS t (bucket, root) WHERE h.bucket = t.bucket AND h.root = t.root COLLATE "C"',
                *_columns(gone),
            )
        copy_in = f"COPY helix.held ({_COLUMNS}) FROM STDIN"
        with self._connection.cursor() as cursor, cursor.copy(copy_in) as copy:
            for name, one in new:
                copy.write_row((name, *_row(one)))

    def drawn_in(self, buckets: Sequence[int], most: int) -> dict[int, list[Conversation]]:
        found: dict[int, dict[str, Conversation]] = {}
        for row in self._all(_DRAWN, list(buckets), most, most) if buckets else ():
            found.setdefault(row[0], {})[row[1]] = _conversation(row)
        return {name: list(some.values()) for name, some in found.items()}

    def spans_of(self, buckets: Sequence[int]) -> dict[int, tuple[int | None, int | None]]:
        rows = self._all(
            "SELECT bucket, min(first_ts) FILTER (WHERE first_ts >= %s), "
            "max(last_ts) FILTER (WHERE last_ts >= %s) FROM helix.held "
            "WHERE bucket = ANY(%s) AND rank IS NOT NULL AND count IS NOT NULL GROUP BY bucket",
            EARLIEST,
            EARLIEST,
            list(buckets),
        )
        return {name: (first, last) for name, first, last in rows}

    def figures_in(self, buckets: Sequence[int]) -> dict[int, Brief]:
        rows = self._all(
            "SELECT bucket, brief FROM helix.candidate WHERE bucket = ANY(%s) AND data IS NOT NULL",
            list(buckets),
        )
        return {name: unpack_brief(data) for name, data in rows}

    def write_figures(self, changed: Mapping[int, Brief]) -> None:
        self._do_many(
            "UPDATE helix.candidate SET sessions = %s, brief = %s, n = %s "
            "WHERE bucket = %s AND data IS NOT NULL",
            [
                (brief.sessions, pack_brief(brief), self._number, name)
                for name, brief in changed.items()
            ],
        )


def _columns(pairs: Sequence[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    return [one for one, _ in pairs], [other for _, other in pairs]


def _row(one: Conversation) -> tuple[object, ...]:
    member = one.member
    figures = (
        (None,) * 7
        if member is None
        else (
            *(member.flavor, member.repo, member.count, member.chars, member.ms),
            *(member.first_ts, member.last_ts),
        )
    )
    kept = (one.keys, one.rank, one.is_cured, one.began)
    return one.root, *kept, *figures, one.prints, one.is_cut


def _conversation(row: Sequence[Any]) -> Conversation:
    _, root, keys, rank, is_cured, began, flavor, repo, count, chars, ms, *rest = row
    first, last, prints, is_cut = rest
    member = None if count is None else Member(flavor, repo, count, first, last, chars, ms)
    return Conversation(root, keys, rank, is_cured, began, member, prints, is_cut)
