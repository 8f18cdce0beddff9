"""What the team has of this data folder, what is held back and why, and when to try again.

It can be lost: then everything is sent once more, and the team finds that it has it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from helix_tui.errors import OutOfSpaceError, StoreError
from helix_tui.files.durable import FILE_MODE, make_folder, told

SHORTEST_SECONDS = 60
LONGEST_SECONDS = 6 * 60 * 60
_TABLES = """
CREATE TABLE IF NOT EXISTS sent (
    id TEXT PRIMARY KEY, stamp INTEGER NOT NULL, hash TEXT NOT NULL, revision INTEGER NOT NULL,
    state TEXT NOT NULL, why TEXT NOT NULL, repo TEXT NOT NULL, uid TEXT NOT NULL,
    marks TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tombstone (
    kind TEXT NOT NULL, target TEXT NOT NULL, is_sent INTEGER NOT NULL,
    PRIMARY KEY (kind, target)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


class Sent(NamedTuple):
    """What became of a session: `sent`, `held` or `forgotten`, as it was at a stamp."""

    id: str
    stamp: int
    hash: str
    revision: int
    state: str
    why: str
    repo: str
    uid: str = ""
    marks: str = ""


class Outbox:
    """The record of what was sent; one process at a time writes it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with told(path):
            make_folder(path.parent)
            path.touch(mode=FILE_MODE)
        with self._said():
            self._connection = sqlite3.connect(path, timeout=10, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = wal")
            self._connection.execute("PRAGMA synchronous = full")
            self._connection.executescript(_TABLES)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            if "full" in str(error):
                raise OutOfSpaceError(
                    f"There is no room for {self._path}: {error}.", "Free some space."
                ) from error
            raise StoreError(
                f"{self._path}, which says what the team has, cannot be used: {error}.",
                "Remove it: everything is sent once more, which changes nothing there.",
            ) from error

    def all(self) -> dict[str, Sent]:
        """What became of every session, by id."""
        with self._said():
            rows = self._connection.execute("SELECT * FROM sent").fetchall()
        return {row[0]: Sent._make(row) for row in rows}

    def record(self, rows: Iterable[Sent]) -> None:
        """Record what became of sessions, all or none, durably."""
        with self._said(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "INSERT OR REPLACE INTO sent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", list(rows)
            )

    def next_revision(self, now_ms: int) -> int:
        """A number above all that were given before, whatever the clock says now."""
        last = int(self.fact("revision") or 0)
        revision = max(last + 1, now_ms)
        self.set_fact("revision", str(revision))
        return revision

    def fact(self, name: str) -> str:
        """A fact, or nothing."""
        with self._said():
            row = self._connection.execute(
                "SELECT value FROM fact WHERE name = ?", (name,)
            ).fetchone()
        return str(row[0]) if row else ""

    def set_fact(self, name: str, value: str) -> None:
        """Record a fact."""
        with self._said():
            self._connection.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, value))

    def bury(self, kind: str, target: str) -> None:
        """Record that something is to be forgotten by the team, before it is told."""
        with self._said():
            self._connection.execute(
                "INSERT INTO tombstone VALUES (?, ?, 0) ON CONFLICT DO NOTHING", (kind, target)
            )

    def tombstones(self, *, is_sent: bool | None = None) -> list[tuple[str, str]]:
        """What is to be forgotten: kind and target; of those that were told, or not yet."""
        wanted = "" if is_sent is None else f" WHERE is_sent = {int(is_sent)}"
        with self._said():
            rows = self._connection.execute(
                f"SELECT kind, target FROM tombstone{wanted} ORDER BY kind, target"
            )
            return [(str(kind), str(target)) for kind, target in rows]

    def settle_tombstone(self, kind: str, target: str) -> None:
        """Record that the team was told."""
        with self._said():
            self._connection.execute(
                "UPDATE tombstone SET is_sent = 1 WHERE kind = ? AND target = ?", (kind, target)
            )

    def put_off(self, now_ms: int, reason: str, retry_after: float | None = None) -> None:
        """Record that the team cannot be reached, and when to try again by itself."""
        failures = int(self.fact("failures") or 0) + 1
        seconds = min(SHORTEST_SECONDS << min(failures - 1, 16), LONGEST_SECONDS)
        if retry_after is not None:
            seconds = int(min(max(retry_after, SHORTEST_SECONDS), LONGEST_SECONDS))
        self.set_fact("failures", str(failures))
        self.set_fact("next_ms", str(now_ms + seconds * 1000))
        self.set_fact("error", reason)

    def succeed(self, now_ms: int) -> None:
        """Record that the team was reached."""
        for name, value in (("failures", "0"), ("next_ms", ""), ("error", "")):
            self.set_fact(name, value)
        self.set_fact("reached_ms", str(now_ms))

    def is_due(self, now_ms: int) -> bool:
        """Whether a sweep tries; a time too far ahead came from a wrong clock."""
        next_ms = int(self.fact("next_ms") or 0)
        return not now_ms < next_ms <= now_ms + LONGEST_SECONDS * 1000
