"""Settle packs after a crash, forget sessions, and give disk space back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from helix_tui.store.database import Database
from helix_tui.store.digests.search_index import drop_texts, forget_dropped
from helix_tui.store.facts import TOLD_NOTE, drop_note
from helix_tui.store.ingest.instructions import drop_instructions
from helix_tui.store.ingest.plan import RowKeys, Sessions
from helix_tui.store.ingest.usage import UsageLedger
from helix_tui.store.ingest.writer import save_sessions
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.aside import drop_aside, files_aside, move_aside
from helix_tui.store.packs.packs import header_in
from helix_tui.store.packs.seal import break_seal, changing_packs, packs_state, seal_packs
from helix_tui.store.packs.unowned import put_unowned_aside
from helix_tui.store.user_lists import forgotten_sessions, remember_forgotten


def settle_packs(database: Database, layout: StoreLayout) -> None:
    """Set aside what no row owns, and seal the packs, where they and the database disagree.

    A database restored from a backup may have sessions that were forgotten since.
    """
    connection: sqlite3.Connection = database.connection()
    state = packs_state(connection, layout)
    if state.is_agreed:
        return
    break_seal(layout)
    for name in sorted(forgotten_sessions(layout)):
        if connection.execute("SELECT 1 FROM session WHERE id = ?", (name,)).fetchone():
            forget_session(database, layout, name)
    if put_unowned_aside(connection, layout, is_cut_off=state.is_cut_off):
        seal_packs(connection, layout)


def children_of(database: Database, session_id: str) -> list[str]:
    """The sub-agents of a session."""
    rows = database.execute_sql("SELECT id FROM session WHERE parent = ?", (session_id,))
    return [name for (name,) in rows.fetchall()]


def forget_session(database: Database, layout: StoreLayout, session_id: str) -> int:
    """Drop a session and its children and keep them out for good; return how many."""
    connection: sqlite3.Connection = database.connection()
    with changing_packs(connection, layout):
        forgotten = _forget_rows(database, layout, session_id)
        for key, name in forgotten.items():
            _drop_pack(layout, layout.pack(key), name)
        names = set(forgotten.values())
        drop_aside(layout, [path for path in files_aside(layout) if _owner(path) in names])
    give_back_space(database)
    return len(forgotten)


def _forget_rows(database: Database, layout: StoreLayout, session_id: str) -> dict[int, str]:
    """Drop the rows of a session and its children, durably; return their ids by key."""
    from helix_tui.store.detection.dropping import drop_sessions

    connection: sqlite3.Connection = database.connection()
    with durably(database):
        rows = connection.execute(
            "SELECT key, id FROM session WHERE id = ? OR parent = ?", (session_id, session_id)
        ).fetchall()
        remember_forgotten(layout, sorted({session_id, *(name for _, name in rows)}))
        sessions = Sessions(connection, RowKeys(connection))
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
        drop_instructions(connection, keys)
        drop_note(connection, TOLD_NOTE)
        forget_dropped(connection)
        connection.executemany("DELETE FROM session WHERE key = ?", [(key,) for key in keys])
    return dict(rows)


def _drop_pack(layout: StoreLayout, path: Path, session_id: str) -> None:
    """Unlink a forgotten session's pack; one of another session is set aside."""
    if path.exists():
        if _owner(path) in (session_id, None):
            path.unlink()
        else:
            move_aside(layout, path)


def _owner(path: Path) -> str | None:
    header = header_in(path)
    return None if header is None else header.id


@contextmanager
def durably(database: Database) -> Iterator[None]:
    """A transaction that is on disk when it ends, before packs are unlinked.

    A checkpoint would make it durable as well, but it waits for readers.
    """
    database.execute_sql("PRAGMA synchronous = FULL")
    try:
        with database.atomic("IMMEDIATE"):
            yield
    finally:
        database.execute_sql("PRAGMA synchronous = NORMAL")


def make_durable(database: Database) -> None:
    """Sync everything that was committed: the log is synced as a whole."""
    with durably(database):
        database.execute_sql("UPDATE note SET value = value")


def give_back_space(database: Database) -> None:
    """Return free pages to the file system, and with them what was written on them."""
    # As a script: a single statement is stepped only once, and so frees only one page.
    connection: sqlite3.Connection = database.connection()
    connection.executescript("PRAGMA incremental_vacuum")
    checkpoint(database)


def checkpoint(database: Database) -> None:
    """Empty the log into the database, as far as no reader needs it."""
    database.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
