"""Signals by session and bucket, and what changed since signals were last grouped."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from helix_tui.errors import StoreError
from helix_tui.schema.candidate import Counted, Sighting
from helix_tui.schema.signal import Judged, Profile, Signal
from helix_tui.store.database import Database
from helix_tui.store.digests.folds import StoredFold
from helix_tui.store.facts import note, set_note
from helix_tui.store.sql import chunks, marks

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Signal]).decode
_decode_profile = msgspec.msgpack.Decoder(Profile).decode
NO_PROFILE = Profile()
# What msgspec says of bytes that are none of its own.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, TypeError)
# What one statement of a list of sessions reads the folds of.
_SESSIONS_AT_ONCE = 500


class DetectionDamagedError(StoreError):
    """Something that detection stored cannot be read; it can be made again from digests."""


def damaged(what: str) -> DetectionDamagedError:
    """What to say of stored bytes that cannot be read."""
    return DetectionDamagedError(
        f"{what} is damaged.", "Run `helix doctor --repair`: it is made again from the digests."
    )


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
    mark_sessions(connection, [session_key])
    mark_buckets(connection, [*gone, *differing])


def unpack_signals(data: bytes) -> list[Signal]:
    """Signals as they were stored."""
    try:
        return _decode(data)
    except UNREADABLE as error:
        raise damaged("A stored signal") from error


def unpack_profile(data: bytes | None) -> Profile:
    """A profile as it was stored; none of a session that was never analyzed."""
    try:
        return NO_PROFILE if data is None else _decode_profile(data)
    except UNREADABLE as error:
        raise damaged("What the quality gate knows of a session") from error


def drop_sessions(connection: sqlite3.Connection, session_keys: Sequence[int]) -> None:
    """Takes sessions out of detection, with every candidate that may name one of them.

    What other sessions still form of these is grouped again. Those that began in one of these
    count for themselves from now on.
    """
    for some in chunks(session_keys):
        these = marks(some)
        touched = [
            key
            for (key,) in connection.execute(
                "SELECT key FROM counted WHERE root IN (SELECT id FROM session "
                f"WHERE key IN ({these})) UNION SELECT key FROM session WHERE key IN ({these})",
                (*some, *some),
            )
        ]
        mark_sessions(connection, touched)
        mark_buckets_of(connection, touched)
        connection.execute(f"DELETE FROM signal WHERE session IN ({these})", some)
        connection.execute(f"DELETE FROM counted WHERE key IN ({these})", some)
    connection.execute("DELETE FROM candidate WHERE bucket IN (SELECT bucket FROM changed_bucket)")


def mark_sessions(connection: sqlite3.Connection, session_keys: Iterable[int]) -> None:
    """Marks sessions whose rows came, went or changed."""
    connection.executemany(
        "INSERT OR IGNORE INTO changed_session VALUES (?)", [(key,) for key in session_keys]
    )


def mark_buckets_of(connection: sqlite3.Connection, session_keys: Sequence[int]) -> None:
    """Marks every bucket that sessions have something in."""
    for some in chunks(session_keys):
        connection.execute(
            "INSERT OR IGNORE INTO changed_bucket "
            f"SELECT DISTINCT bucket FROM signal WHERE session IN ({marks(some)})",
            some,
        )


def mark_buckets(connection: sqlite3.Connection, buckets: Iterable[int]) -> None:
    """Marks buckets."""
    connection.executemany(
        "INSERT OR IGNORE INTO changed_bucket VALUES (?)", [(bucket,) for bucket in buckets]
    )


def mark_all_buckets(connection: sqlite3.Connection) -> None:
    """Marks every bucket, since what counts or what it is called is decided otherwise."""
    for table in ("signal", "candidate"):
        connection.execute(
            f"INSERT OR IGNORE INTO changed_bucket SELECT DISTINCT bucket FROM {table}"
        )


def changed_buckets(connection: sqlite3.Connection) -> list[int]:
    """What has to be grouped again, in order."""
    rows = connection.execute("SELECT bucket FROM changed_bucket ORDER BY bucket")
    return [bucket for (bucket,) in rows]


def changed_sessions(connection: sqlite3.Connection) -> list[int]:
    """The sessions that have to be counted again, in order."""
    rows = connection.execute("SELECT session FROM changed_session ORDER BY session")
    return [key for (key,) in rows]


def sightings_in(
    connection: sqlite3.Connection, buckets: Sequence[int]
) -> dict[int, list[Sighting]]:
    """What sessions that count signal, by bucket; no more buckets than one statement takes."""
    found: dict[int, list[Sighting]] = {}
    rows = connection.execute(
        "SELECT s.bucket, s.data, c.key, c.id, c.root, c.flavor, c.repo, c.branch, c.first_ts, "
        "c.last_ts, c.gate FROM signal s JOIN counted c ON c.key = s.session "
        f"WHERE s.bucket IN ({marks(buckets)}) AND c.gate IS NULL",
        buckets,
    )
    for bucket, data, *session in rows.fetchall():
        sighting = Sighting(Counted._make(session), unpack_signals(data))
        found.setdefault(bucket, []).append(sighting)
    return found


def folds_by_session(
    connection: sqlite3.Connection, names: Iterable[str] | None = None
) -> Iterator[tuple[int, str, list[StoredFold]]]:
    """Key, id and folds of these sessions, or of all, a few hundred at a time."""
    keys = _all_keys(connection) if names is None else _keys_of(connection, names)
    for some in chunks(keys):
        by_session: dict[tuple[int, str], list[StoredFold]] = {}
        rows = connection.execute(
            "SELECT s.key, s.id, p.unit, p.name, f.data FROM fold f "
            "JOIN session s ON s.key = f.session JOIN part p ON p.key = f.part "
            f"WHERE f.session IN ({marks(some)})",
            some,
        )
        for key, name, unit, part, data in rows.fetchall():
            by_session.setdefault((key, name), []).append(StoredFold(f"{unit}\0{part}", data))
        for (key, name), folds in by_session.items():
            yield key, name, folds


def _all_keys(connection: sqlite3.Connection) -> list[int]:
    return [key for (key,) in connection.execute("SELECT key FROM session ORDER BY key")]


def _keys_of(connection: sqlite3.Connection, names: Iterable[str]) -> list[int]:
    found: list[int] = []
    for some in chunks(sorted(set(names))):
        rows = connection.execute(f"SELECT key FROM session WHERE id IN ({marks(some)})", some)
        found += [key for (key,) in rows]
    return sorted(found)


def are_signals_made(connection: sqlite3.Connection, version: str) -> bool:
    """Whether the signals of all sessions were made as `version` says."""
    return note(connection, "signals") == version


def note_signals(connection: sqlite3.Connection, version: str) -> None:
    """Says in which way all signals are made."""
    set_note(connection, "signals", version)


def forget_signals(connection: sqlite3.Connection) -> None:
    """Says that not all signals are made as they should be."""
    connection.execute("DELETE FROM note WHERE name = 'signals'")


def drop_detection(database: Database) -> None:
    """Drops all that is made of digests: what is damaged in it is made again with the rest.

    Ids that others go on by are kept, since no digest knows them.
    """
    connection: sqlite3.Connection = database.connection()
    with database.atomic("IMMEDIATE"):
        for table in ("signal", "counted", "candidate", "changed_bucket", "changed_session"):
            connection.execute(f"DELETE FROM {table}")
        connection.execute("UPDATE session SET profile = NULL")
        forget_signals(connection)
