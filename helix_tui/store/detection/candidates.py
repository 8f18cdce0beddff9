"""Candidates as the last grouping stored them, and the current id for an old one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from helix_tui.schema.candidate import Brief, Candidate, Citing
from helix_tui.store.database import Database
from helix_tui.store.detection.grouping_state import LISTED
from helix_tui.store.detection.signals import UNREADABLE, damaged
from helix_tui.store.sql import chunks, marks
from helix_tui.yielding import yielding

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Candidate).decode
_decode_brief = msgspec.msgpack.Decoder(Brief).decode
_decode_citing = msgspec.msgpack.Decoder(Citing).decode


def pack_candidate(candidate: Candidate) -> bytes:
    """Encode a candidate as it is stored."""
    return _encode(candidate)


def pack_brief(brief: Brief) -> bytes:
    """Encode the figures of a candidate as they are stored."""
    return _encode(brief)


def unpack_candidate(data: bytes) -> Candidate:
    """Decode a stored candidate."""
    try:
        return _decode(data)
    except UNREADABLE as error:
        raise damaged("A stored candidate") from error


def unpack_brief(data: bytes) -> Brief:
    """Decode a candidate's stored figures."""
    try:
        return _decode_brief(data)
    except UNREADABLE as error:
        raise damaged("A stored candidate") from error


def unpack_citing(data: bytes) -> Citing:
    """Decode what a candidate cites, skipping its other fields."""
    try:
        return _decode_citing(data)
    except UNREADABLE as error:
        raise damaged("A stored candidate") from error


def stored_in(connection: sqlite3.Connection, buckets: Sequence[int]) -> dict[str, bytes]:
    """Candidates of these buckets as stored, by id; no more buckets than one statement takes."""
    return dict(
        connection.execute(
            f"SELECT id, data FROM candidate WHERE bucket IN ({marks(buckets)})", buckets
        ).fetchall()
    )


def replace_candidates(
    connection: sqlite3.Connection,
    buckets: Sequence[int],
    candidates: Iterable[tuple[int, Candidate, Brief | None]],
) -> dict[str, bytes]:
    """Replace the candidates of these buckets; return the new ones as stored.

    A candidate that no list shows needs no brief.
    """
    connection.execute(f"DELETE FROM candidate WHERE bucket IN ({marks(buckets)})", buckets)
    rows = [
        (candidate.id, bucket, len(candidate.members), brief and _encode(brief), _encode(candidate))
        for bucket, candidate, brief in candidates
    ]
    connection.executemany("INSERT OR REPLACE INTO candidate VALUES (?, ?, ?, ?, ?)", rows)
    return {name: data for name, *_, data in rows}


def list_candidates(
    database: Database, min_sessions: int, least: int | None = None
) -> list[Candidate]:
    """Candidates of at least so many sessions, and from `least` on those that have a brief."""
    rows = database.execute_sql(
        f"SELECT data FROM candidate WHERE {LISTED} ORDER BY id, bucket",
        (min_sessions, min_sessions if least is None else least),
    )
    return _once(data for (data,) in rows)


def list_briefs(
    database: Database, min_sessions: int, least: int, brief_of: Callable[[Candidate], Brief]
) -> list[Brief]:
    """Candidates of at least so many sessions, and from `least` on those that have a brief.

    A candidate stored without a brief, below the floor of that time, is decoded whole.
    """
    rows = database.execute_sql(
        "SELECT bucket, brief, CASE WHEN brief IS NULL THEN data END FROM candidate "
        f"WHERE {LISTED}",
        (min_sessions, least),
    )
    briefs: dict[str, tuple[int, Brief]] = {}
    for bucket, packed, data in yielding(rows):
        brief = unpack_brief(packed) if packed is not None else brief_of(unpack_candidate(data))
        if brief.id not in briefs or bucket < briefs[brief.id][0]:
            briefs[brief.id] = bucket, brief
    return [brief for _, brief in briefs.values()]


def sampled_candidates(database: Database, most: int = 2_000) -> list[Candidate]:
    """Candidates of two conversations or more; of very many the same ones each time.

    Ids end with a hash, by which they lie in no order that means anything.
    """
    rows = database.execute_sql(
        "SELECT data FROM candidate WHERE sessions >= 2 ORDER BY substr(id, -8), id, bucket "
        "LIMIT ?",
        (most,),
    )
    return _once(data for (data,) in rows)


def candidates_by_id(database: Database, names: Iterable[str]) -> list[Candidate]:
    """The candidates that have one of these ids."""
    candidates: list[Candidate] = []
    connection: sqlite3.Connection = database.connection()
    for chunk in chunks(sorted(set(names))):
        rows = connection.execute(
            f"SELECT data FROM candidate WHERE id IN ({marks(chunk)}) ORDER BY id, bucket", chunk
        )
        candidates += _once(data for (data,) in rows)
    return candidates


def _once(rows: Iterable[bytes]) -> list[Candidate]:
    """Decode candidates that come in the order of their ids, the first of each id."""
    candidates: list[Candidate] = []
    for data in yielding(rows):
        candidate = unpack_candidate(data)
        if not candidates or candidates[-1].id != candidate.id:
            candidates.append(candidate)
    return candidates


def ids_beginning(database: Database, beginning: str) -> list[str]:
    """The ids with this prefix, in order."""
    rows = database.execute_sql(
        "SELECT DISTINCT id FROM candidate WHERE id >= ? AND substr(id, 1, ?) = ? ORDER BY id",
        (beginning, len(beginning), beginning),
    )
    return [name for (name,) in rows.fetchall()]


def ids_with_alias(database: Database, alias: str) -> list[str]:
    """The ids of candidates of which a part once had this id, or would have it on its own."""
    rows = database.execute_sql(
        "SELECT data FROM candidate WHERE instr(data, ?) ORDER BY id", (alias.encode(),)
    )
    return [citing.id for (data,) in rows if alias in (citing := unpack_citing(data)).aliases]


def are_there(connection: sqlite3.Connection, names: Iterable[str]) -> set[str]:
    """The ids among these that some candidate has."""
    existing: set[str] = set()
    for chunk in chunks(sorted(names)):
        rows = connection.execute(f"SELECT id FROM candidate WHERE id IN ({marks(chunk)})", chunk)
        existing.update(name for (name,) in rows)
    return existing


def citing_in(connection: sqlite3.Connection, buckets: Sequence[int]) -> Iterator[Citing]:
    """What the candidates of these buckets cite, ordered by id within a few hundred buckets."""
    for chunk in chunks(buckets):
        rows = connection.execute(
            f"SELECT data FROM candidate WHERE bucket IN ({marks(chunk)}) ORDER BY id", chunk
        )
        for (data,) in rows:
            yield unpack_citing(data)


def note_regrouped(connection: sqlite3.Connection, replaced: Iterable[tuple[str, str]]) -> None:
    """Remember the new id that replaces an old one, for verdicts and the catalog to follow."""
    for old, new in replaced:
        connection.execute("UPDATE regrouped SET new = ? WHERE new = ?", (new, old))
        connection.execute("INSERT OR REPLACE INTO regrouped VALUES (?, ?)", (old, new))
    connection.execute("DELETE FROM regrouped WHERE old = new")


def current_id(database: Database, name: str) -> str:
    """The id that replaced an old one; itself where none did."""
    row = database.execute_sql("SELECT new FROM regrouped WHERE old = ?", (name,)).fetchone()
    return str(row[0]) if row else name
