"""Signals by session and bucket, and what changed since they were last grouped."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from helix_tui.errors import StoreError
from helix_tui.schema.candidate import Counted, Sighting
from helix_tui.schema.signal import Judged, Profile, Signal
from helix_tui.store.detection.triggers import write_triggers
from helix_tui.store.digests.folds import StoredFold
from helix_tui.store.facts import note, set_note
from helix_tui.store.sql import chunks, marks
from helix_tui.text.branches import with_branch

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Signal]).decode
_decode_profile = msgspec.msgpack.Decoder(Profile).decode
_TITLE_LENGTH = 80
NO_PROFILE = Profile()
# What msgspec raises for bytes that it did not encode.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, TypeError)


class DetectionDamagedError(StoreError):
    """Something that detection stored cannot be read; it can be made again from the digests."""


def damaged(noun: str) -> DetectionDamagedError:
    """The error for stored bytes that cannot be read."""
    return DetectionDamagedError(
        f"{noun} is damaged.", "Run `helix doctor --repair`: it is made again from the digests."
    )


def write_signals(connection: sqlite3.Connection, session_key: int, judged: Judged) -> None:
    """Replace a session's signals, and mark the buckets that differ."""
    old = dict(
        connection.execute("SELECT bucket, data FROM signal WHERE session = ?", (session_key,))
    )
    new = {bucket: _encode(signals) for bucket, signals in judged.signals.items()}
    removed = [bucket for bucket in old if bucket not in new]
    differing = [bucket for bucket, data in new.items() if old.get(bucket) != data]
    connection.executemany(
        "DELETE FROM signal WHERE bucket = ? AND session = ?",
        [(bucket, session_key) for bucket in removed],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO signal VALUES (?, ?, ?)",
        [(bucket, session_key, new[bucket]) for bucket in differing],
    )
    profile = _with_branch(connection, session_key, judged.profile)
    connection.execute(
        "UPDATE session SET profile = ? WHERE key = ?", (_encode(profile), session_key)
    )
    write_triggers(connection, session_key, judged.triggers)
    mark_sessions(connection, [session_key])
    mark_buckets(connection, [*removed, *differing])


def _with_branch(connection: sqlite3.Connection, session_key: int, profile: Profile) -> Profile:
    """A profile whose title names the branch that it speaks of, as the session's row has it."""
    row = connection.execute("SELECT branch FROM session WHERE key = ?", (session_key,)).fetchone()
    title = with_branch(profile.title, row[0] if row else None, _TITLE_LENGTH)
    return profile if title == profile.title else msgspec.structs.replace(profile, title=title)


def unpack_signals(data: bytes) -> list[Signal]:
    """Decode stored signals."""
    try:
        return _decode(data)
    except UNREADABLE as error:
        raise damaged("A stored signal") from error


def unpack_profile(data: bytes | None) -> Profile:
    """Decode a stored profile; an empty one for a session that was never analyzed."""
    try:
        return NO_PROFILE if data is None else _decode_profile(data)
    except UNREADABLE as error:
        raise damaged("What the quality gate knows of a session") from error


def mark_sessions(connection: sqlite3.Connection, session_keys: Iterable[int]) -> None:
    """Mark sessions whose rows were added, dropped or changed."""
    connection.executemany(
        "INSERT OR IGNORE INTO changed_session VALUES (?)", [(key,) for key in session_keys]
    )


def mark_buckets_of(connection: sqlite3.Connection, session_keys: Sequence[int]) -> None:
    """Mark every bucket in which one of these sessions has a signal."""
    for chunk in chunks(session_keys):
        connection.execute(
            "INSERT OR IGNORE INTO changed_bucket "
            f"SELECT DISTINCT bucket FROM signal WHERE session IN ({marks(chunk)})",
            chunk,
        )


def mark_buckets(connection: sqlite3.Connection, buckets: Iterable[int]) -> None:
    """Mark buckets to be grouped again."""
    connection.executemany(
        "INSERT OR IGNORE INTO changed_bucket VALUES (?)", [(bucket,) for bucket in buckets]
    )


def mark_all_buckets(connection: sqlite3.Connection) -> None:
    """Mark every bucket, since what counts, or its name, is now decided differently."""
    for table in ("signal", "candidate"):
        connection.execute(
            f"INSERT OR IGNORE INTO changed_bucket SELECT DISTINCT bucket FROM {table}"
        )


def changed_buckets(connection: sqlite3.Connection) -> list[int]:
    """The buckets that have to be grouped again, in order."""
    rows = connection.execute("SELECT bucket FROM changed_bucket ORDER BY bucket")
    return [bucket for (bucket,) in rows]


def changed_sessions(connection: sqlite3.Connection) -> list[int]:
    """The sessions that have to be counted again, in order."""
    rows = connection.execute("SELECT session FROM changed_session ORDER BY session")
    return [key for (key,) in rows]


def sightings_in(
    connection: sqlite3.Connection, buckets: Sequence[int]
) -> dict[int, list[Sighting]]:
    """The signals of sessions that count, by bucket; no more buckets than one statement takes."""
    sightings: dict[int, list[Sighting]] = {}
    rows = connection.execute(
        "SELECT s.bucket, s.data, c.key, c.id, c.root, c.flavor, c.repo, c.branch, c.first_ts, "
        "c.last_ts, c.gate, p.parent FROM signal s JOIN counted c ON c.key = s.session "
        "JOIN session p ON p.key = s.session "
        f"WHERE s.bucket IN ({marks(buckets)}) AND c.gate IS NULL",
        buckets,
    )
    for bucket, data, *session, parent in rows.fetchall():
        counted, is_sub_agent = Counted._make(session), parent is not None
        sighting = Sighting(counted, unpack_signals(data), is_sub_agent)
        sightings.setdefault(bucket, []).append(sighting)
    return sightings


def folds_by_session(
    connection: sqlite3.Connection, names: Iterable[str] | None = None
) -> Iterator[tuple[int, str, list[StoredFold]]]:
    """Key, id and folds of these sessions, or of all, a few hundred at a time."""
    keys = _all_keys(connection) if names is None else _keys_of(connection, names)
    for chunk in chunks(keys):
        by_session: dict[tuple[int, str], list[StoredFold]] = {}
        rows = connection.execute(
            "SELECT s.key, s.id, p.unit, p.name, f.data FROM fold f "
            "JOIN session s ON s.key = f.session JOIN part p ON p.key = f.part "
            f"WHERE f.session IN ({marks(chunk)})",
            chunk,
        )
        for key, name, unit, part, data in rows.fetchall():
            by_session.setdefault((key, name), []).append(StoredFold(f"{unit}\0{part}", data))
        for (key, name), folds in by_session.items():
            yield key, name, folds


def _all_keys(connection: sqlite3.Connection) -> list[int]:
    return [key for (key,) in connection.execute("SELECT key FROM session ORDER BY key")]


def _keys_of(connection: sqlite3.Connection, names: Iterable[str]) -> list[int]:
    keys: list[int] = []
    for chunk in chunks(sorted(set(names))):
        rows = connection.execute(f"SELECT key FROM session WHERE id IN ({marks(chunk)})", chunk)
        keys += [key for (key,) in rows]
    return sorted(keys)


def are_signals_made(connection: sqlite3.Connection, version: str) -> bool:
    """Whether the signals of all sessions are of this version."""
    return note(connection, "signals") == version


def note_signals(connection: sqlite3.Connection, version: str) -> None:
    """Record the version that all signals are of."""
    set_note(connection, "signals", version)


def forget_signals(connection: sqlite3.Connection) -> None:
    """Record that not all signals are up to date."""
    connection.execute("DELETE FROM note WHERE name = 'signals'")
