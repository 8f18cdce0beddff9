"""Removes what a crash or a person's wish leaves behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from helix_tui.store.database import Database
from helix_tui.store.layout import StoreLayout
from helix_tui.store.notes import mark_clean, mark_unclean, note
from helix_tui.store.packs import pack_files
from helix_tui.store.plan import Keys, Sessions
from helix_tui.store.search import drop_texts, forget_dropped
from helix_tui.store.usage import UsageLedger
from helix_tui.store.wishes import remember_forgotten
from helix_tui.store.writer import save_sessions


def clear_leftovers(database: Database, layout: StoreLayout) -> int:
    """After an unclean end: unlinks packs that no session owns, cuts bytes no row refers to."""
    connection: sqlite3.Connection = database.connection()
    if note(connection, "unclean") is None:
        return 0
    committed = dict(connection.execute("SELECT key, pack_bytes FROM session").fetchall())
    cleared = 0
    for path in pack_files(layout.packs):
        length = committed.get(int(path.stem), 0)
        if length == 0:
            path.unlink()
            cleared += 1
        elif path.stat().st_size > length:
            with path.open("r+b") as pack:
                pack.truncate(length)
            cleared += 1
    mark_clean(connection)
    return cleared


def children_of(database: Database, session_id: str) -> list[str]:
    """The sub-agents of a session."""
    rows = database.execute_sql("SELECT id FROM session WHERE parent = ?", (session_id,))
    return [name for (name,) in rows.fetchall()]


def forget_session(database: Database, layout: StoreLayout, session_id: str) -> int:
    """Drops a session and its children, keeps them out for good; returns how many it dropped."""
    from helix_tui.store.signals import drop_sessions

    connection: sqlite3.Connection = database.connection()
    with durably(database):
        rows = connection.execute(
            "SELECT key, id FROM session WHERE id = ? OR parent = ?", (session_id, session_id)
        ).fetchall()
        remember_forgotten(layout, sorted({session_id, *(name for _, name in rows)}))
        sessions = Sessions(connection, Keys(connection))
        ledger = UsageLedger(connection, sessions.with_key)
        keys = [key for key, _ in rows]
        for key in keys:
            ledger.release(key)
        ledger.settle()
        save_sessions(
            connection, [state for key, state in sessions.by_key.items() if key not in keys]
        )
        drop_sessions(connection, keys)
        for table in ("event", "frame", "fold", "evicted"):
            connection.executemany(
                f"DELETE FROM {table} WHERE session = ?", [(key,) for key in keys]
            )
        for key in keys:
            drop_texts(connection, key)
        forget_dropped(connection)
        connection.executemany("DELETE FROM session WHERE key = ?", [(key,) for key in keys])
        mark_unclean(connection)
    for key in keys:
        layout.pack(key).unlink(missing_ok=True)
    mark_clean(connection)
    give_back_space(database)
    return len(keys)


@contextmanager
def durably(database: Database) -> Iterator[None]:
    """A transaction that is on the disk when it ends, for what packs are unlinked after.

    A checkpoint would make it so as well, but it waits for readers.
    """
    database.execute_sql("PRAGMA synchronous = FULL")
    try:
        with database.atomic("IMMEDIATE"):
            yield
    finally:
        database.execute_sql("PRAGMA synchronous = NORMAL")


def give_back_space(database: Database) -> None:
    """Returns freed pages to the file system, with what was written on them."""
    # As a script: a single statement frees one page and stops, since it gives back no rows.
    connection: sqlite3.Connection = database.connection()
    connection.executescript("PRAGMA incremental_vacuum")
    checkpoint(database)


def checkpoint(database: Database) -> None:
    """Empties the log into the database, as far as no reader needs it."""
    database.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
