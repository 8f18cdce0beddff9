"""Sessions of people that count, for whoever reads their turns, the latest first."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple


class CountedSession(NamedTuple):
    """A session that detection counts: its events so far, and when the last one was (ms)."""

    key: int
    id: str
    events: int
    last_ts: int


def counted_sessions(connection: sqlite3.Connection) -> list[CountedSession]:
    """The sessions that count and are nobody's sub-agent."""
    rows = connection.execute(
        "SELECT s.key, s.id, s.events, c.last_ts FROM session s JOIN counted c ON c.key = s.key "
        "WHERE c.gate IS NULL AND s.parent IS NULL AND s.is_analyzed "
        "ORDER BY c.last_ts DESC, s.id"
    )
    return [CountedSession(*row) for row in rows.fetchall()]
