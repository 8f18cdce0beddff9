"""Facts about the store itself, by name."""

from __future__ import annotations

import sqlite3
import time


def note(connection: sqlite3.Connection, name: str) -> str | None:
    """What is noted under a name."""
    row = connection.execute("SELECT value FROM note WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def set_note(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Notes a value under a name."""
    connection.execute("INSERT OR REPLACE INTO note (name, value) VALUES (?, ?)", (name, value))


def mark_unclean(connection: sqlite3.Connection) -> None:
    """Notes that packs and rows may disagree until the note is gone."""
    set_note(connection, "unclean", str(int(time.time())))


def mark_clean(connection: sqlite3.Connection) -> None:
    """Notes that packs and rows agree."""
    connection.execute("DELETE FROM note WHERE name = 'unclean'")
