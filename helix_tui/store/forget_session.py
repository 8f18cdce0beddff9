"""Forget a session: its rows, its pack, and keep it out for good."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from helix_tui.store.database import Database
from helix_tui.store.digests.search_index import drop_texts, forget_dropped
from helix_tui.store.durability import durably, give_back_space
from helix_tui.store.facts import TOLD_NOTE, drop_note
from helix_tui.store.ingest.instructions import drop_instructions
from helix_tui.store.ingest.plan import RowKeys, Sessions
from helix_tui.store.ingest.usage import UsageLedger
from helix_tui.store.ingest.writer import save_sessions
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.aside import drop_aside, files_aside, move_aside
from helix_tui.store.packs.packs import header_in
from helix_tui.store.packs.seal import changing_packs
from helix_tui.store.user_lists import remember_forgotten


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
    from helix_tui.store.detection.removing import drop_sessions

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
