"""What sessions did that makes candidates possible; it stays when raw bytes go."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable


def write_triggers(connection: sqlite3.Connection, session_key: int, names: Iterable[str]) -> None:
    """Replace a session's triggers."""
    connection.execute(
        "INSERT OR REPLACE INTO triggered VALUES (?, ?)", (session_key, "\n".join(names))
    )


def triggers_by_session(connection: sqlite3.Connection) -> list[tuple[int, str]]:
    """The triggers of every session that counts, a line each, by the session's key."""
    return connection.execute(
        "SELECT t.session, t.names FROM triggered t JOIN counted c ON c.key = t.session "
        "WHERE c.gate IS NULL"
    ).fetchall()


def sessions_that(connection: sqlite3.Connection, name: str) -> list[tuple[str, str, str, int]]:
    """The agent, repository, conversation and beginning of each session that has a trigger."""
    return connection.execute(
        "SELECT c.flavor, c.repo, c.root, c.first_ts FROM triggered t "
        "JOIN counted c ON c.key = t.session "
        "WHERE instr(char(10) || t.names || char(10), char(10) || ? || char(10)) "
        "AND c.first_ts > 0",
        (name,),
    ).fetchall()
