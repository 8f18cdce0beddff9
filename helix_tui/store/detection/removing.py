"""Take sessions out of detection, or drop all of it to have it made again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from helix_tui.store.database import Database
from helix_tui.store.detection.signals import forget_signals, mark_buckets_of, mark_sessions
from helix_tui.store.detection.speech import forget_speech
from helix_tui.store.sql import chunks, marks

# All that is made from digests.
_TABLES = (
    *("signal", "counted", "candidate", "speech", "saying", "triggered", "seen"),
    *("changed_bucket", "changed_session"),
)


def drop_sessions(connection: sqlite3.Connection, session_keys: Sequence[int]) -> None:
    """Take sessions out of detection, with every candidate that may name one of them.

    What remains of those candidates is grouped again. Children of these sessions count for
    themselves from now on.
    """
    for chunk in chunks(session_keys):
        placeholders = marks(chunk)
        touched = [
            key
            for (key,) in connection.execute(
                "SELECT key FROM counted WHERE root IN (SELECT root FROM counted "
                f"WHERE key IN ({placeholders})) "
                f"UNION SELECT key FROM session WHERE key IN ({placeholders})",
                (*chunk, *chunk),
            )
        ]
        mark_sessions(connection, touched)
        mark_buckets_of(connection, touched)
        forget_speech(connection, touched)
        for table in ("signal", "triggered"):
            connection.execute(f"DELETE FROM {table} WHERE session IN ({placeholders})", chunk)
        connection.execute(f"DELETE FROM counted WHERE key IN ({placeholders})", chunk)
    for table in ("candidate", "seen"):
        connection.execute(
            f"DELETE FROM {table} WHERE bucket IN (SELECT bucket FROM changed_bucket)"
        )


def drop_detection(database: Database) -> None:
    """Drop everything that is made from digests, to have it made again.

    Replaced ids are kept, since no digest has them.
    """
    connection: sqlite3.Connection = database.connection()
    with database.atomic("IMMEDIATE"):
        for table in _TABLES:
            connection.execute(f"DELETE FROM {table}")
        connection.execute("UPDATE session SET profile = NULL")
        forget_signals(connection)
