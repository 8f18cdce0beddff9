"""Drop sessions' raw bytes for good, in an order that a crash cannot harm."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence

from helix_tui.schema import Evictable
from helix_tui.store.database import Database
from helix_tui.store.durability import durably
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.evicted import remember_evicted
from helix_tui.store.packs.packs import discard_pack
from helix_tui.store.packs.seal import changing_packs
from helix_tui.store.packs.space import raw_bytes
from helix_tui.store.packs.unowned import pack_owner


def evictables(database: Database, pinned: Collection[str]) -> list[Evictable]:
    """The sessions that have raw bytes."""
    rows = database.execute_sql(
        "SELECT key, id, last_ts, pack_bytes, events - evicted_events, is_analyzed, turns "
        "FROM session WHERE events > evicted_events"
    )
    return [
        Evictable(
            key,
            name,
            last_ts,
            raw_bytes(packed, event_rows),
            bool(is_analyzed),
            name in pinned,
            turns > 0,
        )
        for key, name, last_ts, packed, event_rows, is_analyzed, turns in rows.fetchall()
    ]


def evict(database: Database, layout: StoreLayout, session_keys: Sequence[int]) -> None:
    """Drop sessions' rows in one transaction, then their packs; fingerprints and folds stay.

    The packs go before the database is made smaller, which takes disk space of its own.
    """
    connection: sqlite3.Connection = database.connection()
    with changing_packs(connection, layout):
        owners = [pack_owner(connection, key) for key in session_keys]
        with durably(database):
            for key in session_keys:
                rows = connection.execute(
                    "SELECT fingerprint, part FROM event WHERE session = ?", (key,)
                ).fetchall()
                evicted_events = remember_evicted(
                    connection, key, [row[0] for row in rows], {row[1] for row in rows}
                )
                connection.execute("DELETE FROM event WHERE session = ?", (key,))
                connection.execute("DELETE FROM frame WHERE session = ?", (key,))
                connection.execute(
                    "UPDATE session SET pack_bytes = 0, evicted_events = ? WHERE key = ?",
                    (evicted_events, key),
                )
        for owner in owners:
            discard_pack(layout, owner)
