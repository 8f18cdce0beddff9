"""Facts about the store itself, by name."""

from __future__ import annotations

import sqlite3

# What instructions say of candidates; it quotes them, and goes when a session is forgotten.
TOLD_NOTE = "told"


def note(connection: sqlite3.Connection, name: str) -> str | None:
    """The value of a fact, or None."""
    row = connection.execute("SELECT value FROM note WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def set_note(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Store the value of a fact."""
    connection.execute("INSERT OR REPLACE INTO note (name, value) VALUES (?, ?)", (name, value))


def drop_note(connection: sqlite3.Connection, name: str) -> None:
    """Drop a fact."""
    connection.execute("DELETE FROM note WHERE name = ?", (name,))
