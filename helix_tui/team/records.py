"""Read what is one's own, and what retention would drop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from helix_tui.errors import UsageError
from helix_tui.team.database import TeamDatabase
from helix_tui.team.models import SCHEMA

_OWN = ("origin", "session", "effect", "verdict", "tombstone")
_HANGING = ("fold", "signal", "words")
_ROWS_AT_ONCE = 500


class MonthRows(NamedTuple):
    """A month's partition: how many sessions are in it, and how large it is with all it holds."""

    month: int
    sessions: int
    size: int


def own_rows(opened: TeamDatabase) -> Iterator[dict[str, object]]:
    """Every row of the role that is signed in, with the table's name; some hundreds at a time."""
    for table in _OWN:
        yield from _streamed(
            opened, table, f"SELECT to_json(t) FROM {SCHEMA}.{table} t WHERE t.owner = current_user"
        )
    for table in _HANGING:
        yield from _streamed(
            opened,
            table,
            f"SELECT to_json(t) FROM {SCHEMA}.{table} t JOIN {SCHEMA}.session_key k "
            "ON k.key = t.key AND k.month = t.month WHERE k.owner = current_user",
        )


def _streamed(opened: TeamDatabase, table: str, select: str) -> Iterator[dict[str, object]]:
    # A cursor of the server: a member may have more than fits into memory.
    with opened.atomic(), opened.connection.cursor(name="helix_export") as cursor:
        cursor.itersize = _ROWS_AT_ONCE
        for (row,) in cursor.execute(select):
            found = row if isinstance(row, dict) else msgspec.json.decode(row)
            yield {"table": table, **found}


def months(opened: TeamDatabase) -> list[MonthRows]:
    """Every month that sessions lie in, the oldest first; 0 has those without a known time."""
    names = opened.rows(
        "SELECT substr(c.relname, 9)::int FROM pg_inherits i JOIN pg_class c "
        f"ON c.oid = i.inhrelid WHERE i.inhparent = '{SCHEMA}.session'::regclass ORDER BY 1"
    )
    found = []
    for (month,) in names:
        size = sum(
            int(
                opened.value(
                    "SELECT pg_total_relation_size(%s::regclass)", (f"{SCHEMA}.{table}_{month}",)
                )
            )
            for table in ("session", *_HANGING)
        )
        count = opened.value(f"SELECT count(*) FROM {SCHEMA}.session WHERE month = %s", (month,))
        found.append(MonthRows(int(month), int(count or 0), size))
    return found


def months_before(rows: list[MonthRows], first_kept: int) -> list[MonthRows]:
    """The months that retention drops: all before one; what has no known time stays."""
    if not 200001 <= first_kept <= 209912 or not 1 <= first_kept % 100 <= 12:
        raise UsageError(f"{first_kept} is no month.", "Such as 2026-03.")
    return [row for row in rows if 0 < row.month < first_kept]


def drop_months(opened: TeamDatabase, wanted: list[MonthRows]) -> int:
    """Drop whole months; return how many sessions went."""
    dropped = 0
    for row in wanted:
        with opened.atomic():
            dropped += int(opened.value(f"SELECT {SCHEMA}.drop_month(%s)", (row.month,)))
    return dropped
