"""Remember what could not be read, so that each problem is reported as new only once."""

from __future__ import annotations

import sqlite3
import time

from helix_tui.schema import Problem, UnitBatch
from helix_tui.store.database import Database

NO_OFFSET = -1


def count_problems(database: Database) -> int:
    """How many problems there are."""
    return int(database.execute_sql("SELECT count(*) FROM problem").fetchone()[0])


def list_problems(database: Database, limit: int) -> list[Problem]:
    """Problems, newest first."""
    rows = database.execute_sql(
        'SELECT path, "offset", reason FROM problem ORDER BY first_ts DESC, path, "offset" LIMIT ?',
        (limit,),
    )
    return [
        Problem(path, None if offset == NO_OFFSET else offset, reason)
        for path, offset, reason in rows.fetchall()
    ]


class ProblemBook:
    """Record the problems of one sweep."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._standing: set[tuple[str, str]] = set()
        self._rereading: set[str] = set()

    def enter(self, batch: UnitBatch) -> list[Problem]:
        """Record a batch's problems; return the new ones.

        A file that is read again loses the problems that it no longer has.
        """
        if batch.is_reread and batch.path not in self._rereading:
            self._rereading.add(batch.path)
            self._connection.execute(
                'UPDATE problem SET is_stale = 1 WHERE path = ? AND "offset" >= 0', (batch.path,)
            )
        new = [problem for problem in batch.problems if self._enter(problem)]
        if batch.cursor is not None and batch.cursor.stamp is not None:
            self._connection.execute(
                "DELETE FROM problem WHERE path = ? AND is_stale = 1", (batch.path,)
            )
        return new

    def enter_standing(self, problems: list[Problem]) -> list[Problem]:
        """Record discovery's problems; one without an offset lasts as long as it is met."""
        new = [problem for problem in problems if self._enter(problem)]
        rows = self._connection.execute(
            'SELECT path, reason FROM problem WHERE "offset" = ?', (NO_OFFSET,)
        ).fetchall()
        solved = [
            (path, NO_OFFSET, reason)
            for path, reason in rows
            if (path, reason) not in self._standing
        ]
        self._connection.executemany(
            'DELETE FROM problem WHERE path = ? AND "offset" = ? AND reason = ?', solved
        )
        return new

    def _enter(self, problem: Problem) -> bool:
        offset = NO_OFFSET if problem.offset is None else problem.offset
        if problem.offset is None:
            self._standing.add((problem.path, problem.reason))
        key = (problem.path, offset, problem.reason)
        cursor = self._connection.execute(
            "INSERT OR IGNORE INTO problem VALUES (?, ?, ?, ?, 0)", (*key, int(time.time() * 1000))
        )
        if cursor.rowcount == 1:
            return True
        self._connection.execute(
            'UPDATE problem SET is_stale = 0 WHERE path = ? AND "offset" = ? AND reason = ?', key
        )
        return False
