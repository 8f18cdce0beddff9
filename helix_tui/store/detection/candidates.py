"""Candidates as grouping left them, and which of them an old id is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from helix_tui.schema.candidate import Brief, Candidate, CandidateKind, Evidence
from helix_tui.store.database import Database
from helix_tui.store.detection.signals import UNREADABLE, damaged
from helix_tui.store.sql import chunks, marks
from helix_tui.yielding import yielding

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Candidate).decode
_decode_brief = msgspec.msgpack.Decoder(Brief).decode


class Citing(msgspec.Struct):
    """What of a candidate tells which one of another grouping it was."""

    id: str
    kind: CandidateKind
    evidence: list[Evidence]
    aliases: list[str] = []


_decode_citing = msgspec.msgpack.Decoder(Citing).decode


def unpack_candidate(data: bytes) -> Candidate:
    """A candidate as it was stored."""
    try:
        return _decode(data)
    except UNREADABLE as error:
        raise damaged("A stored candidate") from error


def unpack_brief(data: bytes) -> Brief:
    """A candidate's figures as they were stored."""
    try:
        return _decode_brief(data)
    except UNREADABLE as error:
        raise damaged("A stored candidate") from error


def unpack_citing(data: bytes) -> Citing:
    """What a candidate cites; the rest of it is passed over."""
    try:
        return _decode_citing(data)
    except UNREADABLE as error:
        raise damaged("A stored candidate") from error


def stored_in(connection: sqlite3.Connection, buckets: Sequence[int]) -> dict[str, bytes]:
    """What buckets formed when they were last grouped; no more than one statement takes."""
    return dict(
        connection.execute(
            f"SELECT id, data FROM candidate WHERE bucket IN ({marks(buckets)})", buckets
        ).fetchall()
    )


def replace_candidates(
    connection: sqlite3.Connection,
    buckets: Sequence[int],
    found: Iterable[tuple[int, Candidate, Brief | None]],
) -> dict[str, bytes]:
    """Puts what buckets form now in the place of what they formed; returns it as stored.

    What no list shows needs no brief.
    """
    connection.execute(f"DELETE FROM candidate WHERE bucket IN ({marks(buckets)})", buckets)
    rows = [
        (one.id, bucket, len(one.members), brief and _encode(brief), _encode(one))
        for bucket, one, brief in found
    ]
    connection.executemany("INSERT OR REPLACE INTO candidate VALUES (?, ?, ?, ?, ?)", rows)
    return {name: data for name, *_, data in rows}


def list_candidates(database: Database, min_sessions: int) -> list[Candidate]:
    """Candidates of at least so many sessions."""
    rows = database.execute_sql(
        "SELECT data FROM candidate WHERE sessions >= ? ORDER BY id, bucket", (min_sessions,)
    )
    return _once(data for (data,) in rows)


def list_briefs(
    database: Database, min_sessions: int, brief_of: Callable[[Candidate], Brief]
) -> list[Brief]:
    """Candidates of at least so many sessions, as a list needs them.

    One that was stored without a brief, below a floor of then, is looked at whole.
    """
    rows = database.execute_sql(
        "SELECT bucket, brief, CASE WHEN brief IS NULL THEN data END FROM candidate "
        "WHERE sessions >= ?",
        (min_sessions,),
    )
    found: dict[str, tuple[int, Brief]] = {}
    for bucket, brief, data in yielding(rows):
        one = unpack_brief(brief) if brief is not None else brief_of(unpack_candidate(data))
        if one.id not in found or bucket < found[one.id][0]:
            found[one.id] = bucket, one
    return [one for _, one in found.values()]


def candidates_by_id(database: Database, names: Iterable[str]) -> list[Candidate]:
    """Candidates by their ids, where there are any."""
    found: list[Candidate] = []
    connection: sqlite3.Connection = database.connection()
    for some in chunks(sorted(set(names))):
        rows = connection.execute(
            f"SELECT data FROM candidate WHERE id IN ({marks(some)}) ORDER BY id, bucket", some
        )
        found += _once(data for (data,) in rows)
    return found


def _once(rows: Iterable[bytes]) -> list[Candidate]:
    """Candidates in the order of their ids, of each id the first."""
    found: list[Candidate] = []
    for data in yielding(rows):
        candidate = unpack_candidate(data)
        if not found or found[-1].id != candidate.id:
            found.append(candidate)
    return found


def ids_beginning(database: Database, beginning: str) -> list[str]:
    """The ids that begin so, in order."""
    rows = database.execute_sql(
        "SELECT DISTINCT id FROM candidate WHERE id >= ? AND substr(id, 1, ?) = ? ORDER BY id",
        (beginning, len(beginning), beginning),
    )
    return [name for (name,) in rows.fetchall()]


def ids_with_alias(database: Database, alias: str) -> list[str]:
    """The ids of candidates of which a part once had this id, or would have it alone."""
    rows = database.execute_sql(
        "SELECT data FROM candidate WHERE instr(data, ?) ORDER BY id", (alias.encode(),)
    )
    return [one.id for (data,) in rows if alias in (one := unpack_citing(data)).aliases]


def are_there(connection: sqlite3.Connection, names: Iterable[str]) -> set[str]:
    """Those of the ids that some candidate has."""
    found: set[str] = set()
    for some in chunks(sorted(names)):
        rows = connection.execute(f"SELECT id FROM candidate WHERE id IN ({marks(some)})", some)
        found.update(name for (name,) in rows)
    return found


def citing_in(connection: sqlite3.Connection, buckets: Sequence[int]) -> Iterator[Citing]:
    """What the candidates of buckets cite, in the order of their ids within a few hundred."""
    for some in chunks(buckets):
        rows = connection.execute(
            f"SELECT data FROM candidate WHERE bucket IN ({marks(some)}) ORDER BY id", some
        )
        for (data,) in rows:
            yield unpack_citing(data)


def note_regrouped(connection: sqlite3.Connection, replaced: Iterable[tuple[str, str]]) -> None:
    """Remembers by which new id an old one goes on, for verdicts and the catalog to follow."""
    for old, new in replaced:
        connection.execute("UPDATE regrouped SET new = ? WHERE new = ?", (new, old))
        connection.execute("INSERT OR REPLACE INTO regrouped VALUES (?, ?)", (old, new))
    connection.execute("DELETE FROM regrouped WHERE old = new")


def current_id(database: Database, name: str) -> str:
    """The id that an id of before goes on by."""
    row = database.execute_sql("SELECT new FROM regrouped WHERE old = ?", (name,)).fetchone()
    return str(row[0]) if row else name
