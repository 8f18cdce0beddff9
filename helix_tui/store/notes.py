"""Facts about the store itself, by name."""

from __future__ import annotations

import sqlite3


def note(connection: sqlite3.Connection, name: str) -> str | None:
    """What is noted under a name."""
    row = connection.execute("SELECT value FROM note WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def set_note(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Notes a value under a name."""
    connection.execute("INSERT OR REPLACE INTO note (name, value) VALUES (?, ?)", (name, value))
