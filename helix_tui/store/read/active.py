"""Sessions with recent events; apart from other queries, whose models take long to import."""

from __future__ import annotations

from helix_tui.store.database import Database


def sessions_active_within(database: Database, first_ts: int, last_ts: int) -> list[str]:
    """Ids of sessions, not of sub-agents, with their last event in that time; latest first."""
    rows = database.execute_sql(
        "SELECT id FROM session WHERE turns > 0 AND parent IS NULL AND last_ts BETWEEN ? AND ? "
        "ORDER BY last_ts DESC, id",
        (first_ts, last_ts),
    )
    return [name for (name,) in rows.fetchall()]
