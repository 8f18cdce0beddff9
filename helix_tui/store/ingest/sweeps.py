"""How each sweep went, a row for each."""

from __future__ import annotations

import msgspec

from helix_tui.schema import SweepSummary
from helix_tui.store.database import Database
from helix_tui.store.sql import marks

_COLUMNS = SweepSummary.__struct_fields__


def record_sweep(database: Database, sweep: SweepSummary) -> None:
    """Record how a sweep went."""
    database.execute_sql(
        f"INSERT INTO sweep ({', '.join(_COLUMNS)}) VALUES ({marks(_COLUMNS)})",
        msgspec.structs.astuple(sweep),
    )


def last_sweep(database: Database) -> SweepSummary | None:
    """How the latest sweep went."""
    row = database.execute_sql(
        f"SELECT {', '.join(_COLUMNS)} FROM sweep ORDER BY key DESC LIMIT 1"
    ).fetchone()
    if row is None:
        return None
    sweep = SweepSummary(*row)
    return msgspec.structs.replace(sweep, is_complete=bool(sweep.is_complete))


def last_sweeps(database: Database, most: int) -> list[SweepSummary]:
    """How the latest sweeps went, oldest first."""
    rows = database.execute_sql(
        f"SELECT {', '.join(_COLUMNS)} FROM sweep ORDER BY key DESC LIMIT ?", (most,)
    ).fetchall()
    return [SweepSummary(*row) for row in reversed(rows)]
