"""What people say, by repository, as the last grouping laid it down, and what became of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from helix_tui.schema.candidate import Counted, Sighting
from helix_tui.schema.speech import Speech
from helix_tui.store.detection.signals import (
    UNREADABLE,
    DetectionDamagedError,
    damaged,
    mark_buckets,
    mark_sessions,
    unpack_signals,
)
from helix_tui.store.sql import chunks, marks

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Speech).decode
_SIGHTINGS = (
    "SELECT s.data, c.key, c.id, c.root, c.flavor, c.repo, c.branch, c.first_ts, c.last_ts, "
    "c.gate, p.parent FROM counted c JOIN signal s ON s.bucket = ? AND s.session = c.key "
    "JOIN session p ON p.key = c.key "
)

_PLACES = (
    "SELECT c.key, r.repo FROM counted c JOIN signal g ON g.session = c.key AND g.bucket = ? "
    "JOIN session s ON s.id = c.root JOIN counted r ON r.key = s.key WHERE c.gate IS NULL"
)
_BUCKETS = "SELECT bucket FROM saying"


def pack_speech(speech: Speech) -> bytes:
    """Encode what people say in a repository."""
    return _encode(speech)


def unpack_speech(data: bytes) -> Speech:
    """Decode what is stored of a repository's speech."""
    try:
        return _decode(data)
    except UNREADABLE as error:
        raise damaged("What people said in a repository") from error


def speeches(connection: sqlite3.Connection) -> dict[str, Speech]:
    """What people say, by repository."""
    rows = connection.execute("SELECT repo, data FROM speech").fetchall()
    return {repo: unpack_speech(data) for repo, data in rows}


def write_speeches(connection: sqlite3.Connection, changed: Mapping[str, Speech | None]) -> None:
    """Store what is said in some repositories; None where nothing is any more."""
    for repo, speech in changed.items():
        if speech is None:
            connection.execute("DELETE FROM speech WHERE repo = ?", (repo,))
        else:
            row = (repo, pack_speech(speech))
            connection.execute("INSERT OR REPLACE INTO speech VALUES (?, ?)", row)


def seals(connection: sqlite3.Connection) -> dict[int, int]:
    """By bucket, of what the candidates of things that are said were made."""
    return dict(connection.execute("SELECT bucket, seal FROM saying").fetchall())


def write_seals(
    connection: sqlite3.Connection, gone: Iterable[int], changed: Mapping[int, int]
) -> None:
    """Store of what candidates were made."""
    connection.executemany("DELETE FROM saying WHERE bucket = ?", [(name,) for name in gone])
    connection.executemany("INSERT OR REPLACE INTO saying VALUES (?, ?)", list(changed.items()))


def drop_speech(connection: sqlite3.Connection, repos: Iterable[str] | None = None) -> None:
    """Drop what is said in these repositories, or in all of them."""
    if repos is None:
        connection.execute("DELETE FROM speech")
    else:
        connection.executemany("DELETE FROM speech WHERE repo = ?", [(repo,) for repo in repos])


def forget_speech(connection: sqlite3.Connection, keys: Iterable[int]) -> None:
    """Leave no trace of what these sessions say; what others say there is laid down again."""
    dropped = set(keys)
    try:
        known = speeches(connection)
    except DetectionDamagedError:
        # Nobody knows who speaks in it: all is grouped again.
        drop_speech(connection)
        connection.execute("DELETE FROM note WHERE name = 'grouped'")
        return
    touched = {
        repo: speech for repo, speech in known.items() if not dropped.isdisjoint(speech.sessions)
    }
    if touched:
        drop_speech(connection, touched)
        mark_sessions(connection, {key for one in touched.values() for key in one.sessions})
        mark_buckets(connection, [name for (name,) in connection.execute(_BUCKETS)])
        connection.execute("DELETE FROM saying")


def places(
    connection: sqlite3.Connection, bucket: int, keys: Sequence[int] | None = None
) -> dict[int, str]:
    """In which repository the conversations of sessions began that say something and count."""
    if keys is None:
        return dict(connection.execute(_PLACES, (bucket,)).fetchall())
    found: dict[int, str] = {}
    for chunk in chunks(keys):
        rows = connection.execute(f"{_PLACES} AND c.key IN ({marks(chunk)})", (bucket, *chunk))
        found.update(rows.fetchall())
    return found


def sightings_of(
    connection: sqlite3.Connection, bucket: int, keys: Sequence[int]
) -> list[Sighting]:
    """The signals of one bucket that these sessions have, of those that count."""
    sightings = []
    for chunk in chunks(keys):
        rows = connection.execute(
            f"{_SIGHTINGS} WHERE c.key IN ({marks(chunk)}) AND c.gate IS NULL", (bucket, *chunk)
        )
        for data, *session, parent in rows.fetchall():
            counted = Counted._make(session)
            sightings.append(Sighting(counted, unpack_signals(data), parent is not None))
    return sightings
