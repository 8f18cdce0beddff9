"""Sessions as detection counts them: what the quality gate looks at, and its result."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from helix_tui.schema.candidate import Counted, Dropped, Gated
from helix_tui.store.database import Database
from helix_tui.store.detection.signals import unpack_profile
from helix_tui.store.detection.team_list import team_population
from helix_tui.store.sql import chunks, insert_rows, marks

_GATED = (
    "SELECT key, id, parent, flavor, repo, branch, first_ts, last_ts, events, profile, cwd IS NULL "
    "FROM session WHERE turns > 0"
)
_COUNTED = "SELECT key, id, root, flavor, repo, branch, first_ts, last_ts, gate FROM counted"


class Eligible(NamedTuple):
    """How many sessions of a flavor and a repository count."""

    flavor: str
    repo: str
    sessions: int


def all_sessions(connection: sqlite3.Connection) -> list[Gated]:
    """Every session with what the quality gate looks at."""
    return _gated(connection.execute(_GATED).fetchall())


def families(connection: sqlite3.Connection, keys: Iterable[int]) -> list[Gated]:
    """These sessions with all their ancestors, and all descendants of any of them."""
    rows = {row.key: row for row in _select(connection, "key", sorted(keys))}
    parent_ids = {row.parent for row in rows.values() if row.parent}
    ids = {row.id for row in rows.values()}
    while missing := sorted(parent_ids - ids):
        ids.update(missing)
        parents = _select(connection, "id", missing)
        rows.update((row.key, row) for row in parents)
        parent_ids = {row.parent for row in parents if row.parent}
    return _with_children(connection, rows)


def _with_children(connection: sqlite3.Connection, keys: Iterable[int]) -> list[Gated]:
    rows = _select(connection, "key", sorted(keys))
    sessions = {row.key: row for row in rows}
    while rows:
        children = _select(connection, "parent", sorted(row.id for row in rows))
        rows = [row for row in children if row.key not in sessions]
        sessions.update((row.key, row) for row in rows)
    return list(sessions.values())


def _select(
    connection: sqlite3.Connection, column: str, values: Sequence[int] | Sequence[str]
) -> list[Gated]:
    rows: list[tuple[object, ...]] = []
    for chunk in chunks(values):
        cursor = connection.execute(f"{_GATED} AND {column} IN ({marks(chunk)})", tuple(chunk))
        rows += cursor.fetchall()
    return _gated(rows)


def _gated(rows: Iterable[tuple[Any, ...]]) -> list[Gated]:
    return [Gated._make([*row[:-2], unpack_profile(row[-2]), bool(row[-1])]) for row in rows]


def counted_before(
    connection: sqlite3.Connection, keys: Sequence[int] | None
) -> dict[int, Counted]:
    """How sessions (all of them for None) counted in the last grouping."""
    if keys is None:
        return {row[0]: Counted._make(row) for row in connection.execute(_COUNTED)}
    counted: dict[int, Counted] = {}
    for chunk in chunks(keys):
        rows = connection.execute(f"{_COUNTED} WHERE key IN ({marks(chunk)})", chunk)
        counted.update((row[0], Counted._make(row)) for row in rows)
    return counted


def write_counted(
    connection: sqlite3.Connection, dropped: Iterable[int], counted: Sequence[Counted]
) -> None:
    """Store how sessions count now."""
    connection.executemany("DELETE FROM counted WHERE key = ?", [(key,) for key in dropped])
    insert_rows(connection, "INSERT OR REPLACE INTO counted", counted)


def begin_together(connection: sqlite3.Connection, first_ts: int) -> bool:
    """Whether several sessions began at the same moment: then their ends tell which is a copy."""
    rows = connection.execute(
        "SELECT 1 FROM counted WHERE first_ts = ? LIMIT 2", (first_ts,)
    ).fetchall()
    return len(rows) > 1


def last_at(connection: sqlite3.Connection, repo: str, branch: str) -> tuple[int, str]:
    """When somebody last worked on a branch, and in which session."""
    row = connection.execute(
        "SELECT last_ts, root FROM counted WHERE repo = ? AND branch = ? "
        "ORDER BY last_ts DESC, root DESC LIMIT 1",
        (repo, branch),
    ).fetchone()
    return (row[0], row[1]) if row else (0, "")


def eligible_sessions(database: Database, latest: int) -> tuple[list[Eligible], int]:
    """The sessions that count, without children, and the time of the newest of them.

    A session dated later than `latest` is not taken for the newest.
    """
    if (team := team_population(database.connection())) is not None:
        return [Eligible(*row) for row in team.rows], min(team.newest, latest)
    rows = database.execute_sql(
        "SELECT flavor, repo, count(*) FROM counted WHERE gate IS NULL AND id = root "
        "GROUP BY flavor, repo"
    ).fetchall()
    (newest,) = database.execute_sql(
        "SELECT max(last_ts) FROM counted WHERE gate IS NULL AND last_ts <= ?", (latest,)
    ).fetchone()
    return [Eligible(*row) for row in rows], newest or 0


def dropped_sessions(database: Database, reasons: dict[str, str]) -> list[Dropped]:
    """The sessions that do not count, newest first, with the rule; children are left out."""
    rows = database.execute_sql(
        "SELECT s.id, s.flavor, s.repo, s.last_ts, s.events, c.gate FROM counted c "
        "JOIN session s ON s.key = c.key WHERE c.gate IS NOT NULL AND c.root = c.id "
        "ORDER BY coalesce(s.last_ts, 0) DESC, s.id"
    )
    return [Dropped._make((*row, reasons[row[-1]])) for row in rows.fetchall()]
