"""Signals by session and bucket, and which buckets changed since they were last grouped."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from helix_tui.schema.signal import Judged, Signal
from helix_tui.store.database import Database
from helix_tui.store.notes import note, set_note
from helix_tui.store.sql import chunks, marks

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Signal]).decode
# Marks that sessions came, went or changed, whatever they signal.
SESSIONS = 0


def write_signals(connection: sqlite3.Connection, session_key: int, judged: Judged) -> None:
    """Puts a session's signals in the place of those it had; buckets that differ are marked."""
    old = dict(
        connection.execute("SELECT bucket, data FROM signal WHERE session = ?", (session_key,))
    )
    new = {bucket: _encode(signals) for bucket, signals in judged.signals.items()}
    gone = [bucket for bucket in old if bucket not in new]
    differing = [bucket for bucket, data in new.items() if old.get(bucket) != data]
    connection.executemany(
        "DELETE FROM signal WHERE bucket = ? AND session = ?",
        [(bucket, session_key) for bucket in gone],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO signal VALUES (?, ?, ?)",
        [(bucket, session_key, new[bucket]) for bucket in differing],
    )
    connection.execute(
        "UPDATE session SET profile = ? WHERE key = ?", (_encode(judged.profile), session_key)
    )
    mark_changed(connection, [SESSIONS, *gone, *differing])


def unpack_signals(data: bytes) -> list[Signal]:
    """Signals as they were stored."""
    return _decode(data)


def drop_signals(connection: sqlite3.Connection, session_keys: Sequence[int]) -> None:
    """Takes sessions out of detection."""
    for some in chunks(session_keys):
        mark_sessions(connection, some)
        connection.execute(f"DELETE FROM signal WHERE session IN ({marks(some)})", some)


def mark_sessions(connection: sqlite3.Connection, session_keys: Sequence[int]) -> None:
    """Marks every bucket that sessions have something in."""
    mark_changed(connection, [SESSIONS])
    for some in chunks(session_keys):
        connection.execute(
            "INSERT OR IGNORE INTO changed_bucket "
            f"SELECT DISTINCT bucket FROM signal WHERE session IN ({marks(some)})",
            some,
        )


def mark_changed(connection: sqlite3.Connection, buckets: Iterable[int]) -> None:
    """Marks buckets."""
    connection.executemany(
        "INSERT OR IGNORE INTO changed_bucket VALUES (?)", [(bucket,) for bucket in buckets]
    )


def mark_all(connection: sqlite3.Connection) -> None:
    """Marks everything, since what counts is decided otherwise than before."""
    mark_changed(connection, [SESSIONS])
    connection.execute("INSERT OR IGNORE INTO changed_bucket SELECT DISTINCT bucket FROM signal")
    connection.execute("INSERT OR IGNORE INTO changed_bucket SELECT DISTINCT bucket FROM candidate")


def changed_buckets(connection: sqlite3.Connection) -> list[int]:
    """What has to be grouped again; empty where nothing changed."""
    return [bucket for (bucket,) in connection.execute("SELECT bucket FROM changed_bucket")]


def signals_in(
    connection: sqlite3.Connection, buckets: Sequence[int] | None
) -> Iterator[tuple[int, int, bytes]]:
    """Bucket, session and signals, of these buckets or of all, bucket by bucket."""
    if buckets is None:
        yield from connection.execute("SELECT bucket, session, data FROM signal ORDER BY bucket")
        return
    for some in chunks(sorted(buckets)):
        yield from connection.execute(
            f"SELECT bucket, session, data FROM signal WHERE bucket IN ({marks(some)}) "
            "ORDER BY bucket",
            some,
        ).fetchall()


def sessions_without_signals(database: Database, version: str) -> list[int]:
    """The sessions whose signals were never made, or made in another way than `version` says."""
    connection: sqlite3.Connection = database.connection()
    if note(connection, "signals") == version:
        return []
    rows = connection.execute(
        "SELECT DISTINCT f.session FROM fold f JOIN session s ON s.key = f.session "
        "WHERE s.is_analyzed = 1"
    )
    return [key for (key,) in rows]


def note_signals(connection: sqlite3.Connection, version: str) -> None:
    """Says in which way all signals are made."""
    set_note(connection, "signals", version)


def forget_signals(connection: sqlite3.Connection) -> None:
    """Says that not all signals are made as they should be."""
    connection.execute("DELETE FROM note WHERE name = 'signals'")
