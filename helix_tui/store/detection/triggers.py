"""What sessions did that makes candidates possible; it stays when raw bytes go."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from typing import NamedTuple

# Up to so many it is quicker to have SQLite look for each.
_ASKED_ONE_BY_ONE = 8
_RAN_IN = (
    "SELECT c.flavor, c.repo, c.root, c.first_ts, t.names FROM triggered t "
    "JOIN counted c ON c.key = t.session WHERE c.first_ts > 0"
)
_HAS = "instr(char(10) || t.names || char(10), char(10) || ? || char(10))"


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


class RanIn(NamedTuple):
    """The agent, repository, conversation and beginning of a session that has a trigger."""

    flavor: str
    repo: str
    root: str
    first_ts: int


def sessions_by_trigger(
    connection: sqlite3.Connection, names: Collection[str]
) -> dict[str, list[RanIn]]:
    """The sessions with a known beginning that have each of some triggers."""
    found: dict[str, list[RanIn]] = {name: [] for name in names}
    if len(names) <= _ASKED_ONE_BY_ONE:
        for name in names:
            rows = connection.execute(f"{_RAN_IN} AND {_HAS}", (name,))
            found[name] += [RanIn(*row[:4]) for row in rows]
        return found
    for *session, triggers in connection.execute(_RAN_IN):
        for name in found.keys() & triggers.split("\n"):
            found[name].append(RanIn(*session))
    return found
