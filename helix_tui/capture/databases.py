"""Databases with many sessions in one file: list the sessions, and hand out the rows of one.

They belong to an agent that may be writing: opened read-only, every statement is short and ends
before its rows are looked at, and only the tables that an adapter names can be read at all, since
such files hold tokens and secrets beside messages.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any, Protocol
from urllib.parse import quote

import msgspec

from helix_tui.capture.adapters import Adapter, DatabaseReads, Query, Row
from helix_tui.capture.discover import ROWS, WAL, DatabaseChangedError, DatabaseError
from helix_tui.schema import FileStamp
from helix_tui.text.hashing import hash64

# An agent's transaction is over by then, or it hangs.
_BUSY_SECONDS = 2.0
_STATEMENT_SECONDS = 60.0
_STEPS_BETWEEN_LOOKS = 200_000
# About what a row takes; only how much there is to read is told by it.
_BYTES_PER_ROW = 4096
_VERSIONS = slice(18, 20)  # of the header: both are 2 where changes go to a log beside the file
_LOGGED = b"\x02\x02"
_Asked = Callable[[str, Mapping[str, Sequence[str]]], DatabaseReads | None]
_encode = msgspec.msgpack.Encoder().encode


class FoundUnit(msgspec.Struct, frozen=True):
    """A session in a database, with a stamp that differs when anything of it does."""

    id: str
    stamp: FileStamp


class SessionTables(Protocol):
    """Something that holds the rows of many sessions."""

    def units(self) -> Iterator[FoundUnit]:
        """Every session in it."""

    def rows(self, unit: str) -> Iterator[tuple[str, Sequence[Row]]]:
        """The rows of one session in order, some at a time, with the name of their query."""

    def require_unchanged(self) -> None:
        """Raise DatabaseChangedError where what was read may not fit together."""


def is_rows(part: str) -> bool:
    """Whether a part is the rows of a session in a database."""
    return part.startswith(ROWS)


def unit_stamp(rows: object, *told: object) -> FileStamp:
    """The stamp of a session that has so many rows, by everything else that is told of it."""
    count = rows if isinstance(rows, int) else 0
    return FileStamp(0, 0, count * _BYTES_PER_ROW, hash64(_encode((count, told))))


@contextmanager
def opened(path: str, adapter: Adapter) -> Iterator[SessionTables | None]:
    """A database, or a folder that is one; None where it holds no sessions of the agent."""
    if os.path.isdir(path):  # noqa: PTH112 - as discovery found it
        tree: Callable[[str], SessionTables] | None = getattr(adapter, "tree", None)
        yield tree(path) if tree else None
        return
    with _translated():
        connection, before = _connect(path)
    with closing(connection):
        with _translated():
            tables = _columns(connection)
            asked: _Asked | None = getattr(adapter, "database", None)
            reads = asked(path.rpartition("/")[2], tables) if asked else None
        yield SqliteSessions(path, connection, reads, before) if reads else None


class SqliteSessions:
    """The sessions of an SQLite file."""

    def __init__(
        self,
        path: str,
        connection: sqlite3.Connection,
        reads: DatabaseReads,
        before: tuple[int, ...] | None,
    ) -> None:
        self._path = path
        self._connection = connection
        self._reads = reads
        self._before = before
        self._deadline = 0.0
        connection.set_authorizer(_reading_only(reads.tables))
        connection.set_progress_handler(self._is_late, _STEPS_BETWEEN_LOOKS)

    def units(self) -> Iterator[FoundUnit]:
        """Every session; the statement is over when the first one is given."""
        for unit, count, *told in self._fetched(self._reads.units, ()):
            if isinstance(unit, str) and unit:
                yield FoundUnit(unit, unit_stamp(count, *told))

    def rows(self, unit: str) -> Iterator[tuple[str, Sequence[Row]]]:
        """The rows of a session, query by query."""
        for query in self._reads.rows:
            yield from self._of_query(query, unit)

    def _of_query(self, query: Query, key: object) -> Iterator[tuple[str, Sequence[Row]]]:
        rows = self._fetched(query.sql, (key,))
        if not query.inner:
            if rows:
                yield query.name, rows
            return
        for row in rows:
            yield query.name, [row]
            for inner in query.inner:
                yield from self._of_query(inner, row[0])

    def _fetched(self, sql: str, parameters: tuple[object, ...]) -> list[Row]:
        self._deadline = time.monotonic() + _STATEMENT_SECONDS
        with _translated():
            rows: list[Row] = self._connection.execute(sql, parameters).fetchall()
        return rows

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline

    def require_unchanged(self) -> None:
        """Compare a file that was read as if nobody could write to it."""
        if self._before is not None and _stat(self._path) != self._before:
            raise DatabaseChangedError


def database_digest(path: str, version: int) -> int:
    """What tells, by stat alone, that a database may have changed: the file and its log."""
    return hash64(_encode((version, _stat(path))))


def _stat(path: str) -> tuple[int, ...]:
    found: list[int] = []
    for name in (path, f"{path}{WAL}"):
        try:
            status = os.stat(name)  # noqa: PTH116 - called for each database in every sweep
        except FileNotFoundError:
            continue
        if status.st_size:  # an empty log says nothing
            found += (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return tuple(found)


def _connect(path: str) -> tuple[sqlite3.Connection, tuple[int, ...] | None]:
    """Open a database to read it; for one that nobody has open, also what it looked like.

    SQLite makes two files beside a database with a log, and leaves them there when whoever reads
    may not write. Where there are none, nobody has it open: then it is read as it lies there, and
    what was read counts only if the file is the same afterwards.
    """
    before = None
    if _is_logged(path) and not any(map(os.path.exists, (f"{path}{WAL}", f"{path}-shm"))):
        before = _stat(path)
    only = "mode=ro" if before is None else "mode=ro&immutable=1"
    connection = sqlite3.connect(
        f"file:{quote(path)}?{only}", timeout=_BUSY_SECONDS, isolation_level=None, uri=True
    )
    connection.text_factory = _text
    return connection, before


def _is_logged(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(32)[_VERSIONS] == _LOGGED


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _columns(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """The tables of a database with their columns, by which an adapter tells its version."""
    rows = connection.execute(
        "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c "
        "WHERE m.type = 'table' ORDER BY m.name, c.cid"
    ).fetchall()
    tables: dict[str, list[str]] = {}
    for table, column in rows:
        tables.setdefault(table, []).append(column)
    return tables


def _reading_only(tables: Sequence[str]) -> Callable[..., int]:
    """Refuse everything but reading the named tables."""
    allowed = frozenset(tables)

    def authorize(action: int, table: str | None, *_: Any) -> int:
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION):
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ and table in allowed:
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY

    return authorize


@contextmanager
def _translated() -> Iterator[None]:
    """Say in words what SQLite says."""
    try:
        yield
    except sqlite3.Error as error:
        said = str(error)
        if "locked" in said or "busy" in said:
            said = "it was locked for longer than Helix waits; the next sweep reads it"
        elif "interrupted" in said:
            said = f"a query took longer than {_STATEMENT_SECONDS:g} seconds"
        raise DatabaseError(f"a database that cannot be read: {said}") from error


def sizes(rows: Sequence[Row]) -> int:
    """How many bytes of content some rows have."""
    return sum(len(value) for row in rows for value in row if isinstance(value, str | bytes))
