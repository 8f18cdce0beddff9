"""Candidates as grouping left them, the sessions they count among, and ids that were replaced."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

import msgspec

from helix_tui.schema.candidate import Candidate, Gated
from helix_tui.schema.signal import Profile
from helix_tui.store.database import Database
from helix_tui.store.sql import chunks, marks

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Candidate).decode
_decode_profile = msgspec.msgpack.Decoder(Profile).decode
_NO_PROFILE = Profile()


def sessions_to_gate(connection: sqlite3.Connection) -> list[Gated]:
    """Every session as the quality gate looks at it."""
    rows = connection.execute(
        "SELECT key, id, parent, flavor, repo, branch, first_ts, last_ts, events, gate, profile "
        "FROM session WHERE turns > 0"
    ).fetchall()
    return [
        Gated._make((*row[:-1], _decode_profile(row[-1]) if row[-1] is not None else _NO_PROFILE))
        for row in rows
    ]


def write_gates(connection: sqlite3.Connection, gates: Iterable[tuple[str | None, int]]) -> None:
    """Stores the rule, by session, that drops it."""
    connection.executemany("UPDATE session SET gate = ? WHERE key = ?", gates)


def stored_in(connection: sqlite3.Connection, buckets: Sequence[int]) -> dict[str, bytes]:
    """What buckets formed when they were last grouped."""
    found: dict[str, bytes] = {}
    for some in chunks(buckets):
        found.update(
            connection.execute(
                f"SELECT id, data FROM candidate WHERE bucket IN ({marks(some)})", some
            ).fetchall()
        )
    return found


def replace_candidates(
    connection: sqlite3.Connection,
    buckets: Sequence[int],
    found: Iterable[tuple[int, Candidate]],
) -> dict[str, bytes]:
    """Puts what buckets form now in the place of what they formed; returns it as stored."""
    for some in chunks(buckets):
        connection.execute(f"DELETE FROM candidate WHERE bucket IN ({marks(some)})", some)
    rows = [(one.id, bucket, len(one.members), _encode(one)) for bucket, one in found]
    connection.executemany("INSERT OR REPLACE INTO candidate VALUES (?, ?, ?, ?)", rows)
    return {name: data for name, _, _, data in rows}


def list_candidates(database: Database, min_sessions: int) -> list[Candidate]:
    """Candidates of at least so many sessions, and what they resolve or are resolved by."""
    rows = database.execute_sql(
        "SELECT data FROM candidate WHERE sessions >= ? ORDER BY id", (min_sessions,)
    )
    return [_decode(data) for (data,) in rows.fetchall()]


def candidates_by_id(database: Database, names: Iterable[str]) -> list[Candidate]:
    """Candidates by their ids, where there are any."""
    found: list[Candidate] = []
    connection: sqlite3.Connection = database.connection()
    for some in chunks(sorted(set(names))):
        rows = connection.execute(
            f"SELECT data FROM candidate WHERE id IN ({marks(some)}) ORDER BY id", some
        )
        found += [_decode(data) for (data,) in rows]
    return found


def decode_candidate(data: bytes) -> Candidate:
    """A candidate as it was stored."""
    return _decode(data)


def note_regrouped(connection: sqlite3.Connection, replaced: Iterable[tuple[str, str]]) -> None:
    """Remembers by which new id an old one goes on, for verdicts and the catalog to follow."""
    for old, new in replaced:
        connection.execute("UPDATE regrouped SET new = ? WHERE new = ?", (new, old))
        connection.execute("INSERT OR REPLACE INTO regrouped VALUES (?, ?)", (old, new))


def current_id(database: Database, name: str) -> str:
    """The id that an id of before goes on by."""
    row = database.execute_sql("SELECT new FROM regrouped WHERE old = ?", (name,)).fetchone()
    return str(row[0]) if row else name
