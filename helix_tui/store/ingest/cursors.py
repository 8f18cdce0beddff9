"""How far each part was read, and the folders with nothing new in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from helix_tui.schema import Cursor, FileStamp, FolderMark
from helix_tui.store.database import Database
from helix_tui.store.packs.evicted import parts_of_evicted
from helix_tui.store.sql import chunks, marks


class KnownPart(NamedTuple):
    """How far a part was read, and its path at that time."""

    cursor: Cursor
    path: str
    is_document: bool = False


class PartPlace(NamedTuple):
    """A part with events of a session, and its path."""

    key: int
    flavor: str
    unit: str
    name: str
    path: str
    is_document: bool


def parts_of_session(database: Database, session_key: int) -> list[PartPlace]:
    """All parts of every unit from which a session has, or had, events or folds."""
    evicted = sorted(parts_of_evicted(database.connection(), session_key))
    rows = database.execute_sql(
        "SELECT DISTINCT p.key, p.flavor, p.unit, p.name, p.path, p.is_document FROM part p "
        "WHERE (p.flavor, p.unit) IN (SELECT q.flavor, q.unit FROM part q WHERE q.key IN "
        "(SELECT part FROM fold WHERE session = ? UNION SELECT part FROM event WHERE session = ?) "
        f"OR q.key IN ({marks(evicted)})) ORDER BY p.path",
        (session_key, session_key, *evicted),
    )
    return [PartPlace(*row) for row in rows.fetchall()]


def count_parts(database: Database, flavor: str) -> int:
    """How many parts of a flavor were ever captured."""
    row = database.execute_sql("SELECT count(*) FROM part WHERE flavor = ?", (flavor,)).fetchone()
    return int(row[0])


def folder_marks(database: Database, flavor: str) -> dict[str, FolderMark]:
    """The folders of a flavor whose parts were all captured, with their listing's digest."""
    connection: sqlite3.Connection = database.connection()
    rows = connection.execute(
        "SELECT path, digest, own_units, shared_units FROM folder WHERE flavor = ?", (flavor,)
    )
    return {
        path: FolderMark(digest, own_units, msgspec.msgpack.decode(shared) if shared else [])
        for path, digest, own_units, shared in rows.fetchall()
    }


def save_marks(database: Database, flavor: str, folders: dict[str, FolderMark]) -> None:
    """Mark folders as captured; parts of an unmarked folder are looked up one by one."""
    connection: sqlite3.Connection = database.connection()
    with database.atomic("IMMEDIATE"):
        connection.executemany(
            "INSERT OR REPLACE INTO folder VALUES (?, ?, ?, ?, ?)",
            [
                (
                    flavor,
                    path,
                    mark.digest,
                    mark.own_units,
                    msgspec.msgpack.encode(mark.shared_units) if mark.shared_units else b"",
                )
                for path, mark in folders.items()
            ],
        )


def cursors_of(
    database: Database, flavor: str, units: Iterable[str]
) -> dict[tuple[str, str], KnownPart]:
    """The cursors of these units' parts that were read before, by unit and part."""
    rows = _rows_of_units(
        database,
        'SELECT unit, name, path, device, inode, size, mtime_ns, "offset", head_length, head_hash, '
        "tail_hash, is_document FROM part",
        flavor,
        sorted(set(units)),
    )
    return {
        (row[0], row[1]): KnownPart(Cursor(FileStamp(*row[3:7]), *row[7:11]), row[2], bool(row[11]))
        for row in rows
    }


def read_again(connection: sqlite3.Connection) -> None:
    """Have every log that is still there read once more, as if it had been rewritten."""
    connection.execute('UPDATE part SET size = -1, head_hash = ~head_hash WHERE "offset" > 0')
    connection.execute("DELETE FROM folder")


def unit_states(database: Database, flavor: str, units: Iterable[str]) -> dict[str, bytes]:
    """What the adapter remembers of units; for most there is nothing."""
    rows = _rows_of_units(
        database, "SELECT unit, state FROM unit_state", flavor, sorted(set(units))
    )
    return {unit: bytes(state) for unit, state in rows}


def _rows_of_units(
    database: Database, select: str, flavor: str, units: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    connection: sqlite3.Connection = database.connection()
    for chunk in chunks(units):
        statement = f"{select} WHERE flavor = ? AND unit IN ({marks(chunk)})"
        yield from connection.execute(statement, (flavor, *chunk)).fetchall()
