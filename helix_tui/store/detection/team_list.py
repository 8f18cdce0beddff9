"""A team's list as this machine keeps it: a store of candidates that were grouped elsewhere.

It has the tables of every store, of which candidates, replaced ids and notes are filled, and one
table more for what others' evidence says. Nothing in it is grouped here, and it can be deleted: the
next pull brings it back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from helix_tui.schema.candidate import Brief, Candidate, TeamSpan
from helix_tui.schema.team import origins_of, span_of
from helix_tui.store.detection.grouping_state import PARTS_NOTE
from helix_tui.store.facts import note, set_note
from helix_tui.store.sql import chunks, marks

_PULLED, _PEOPLE, _POPULATION = "team_pulled", "team_people", "team_population"
_OWN, _AT = "team_origin", "team_pulled_at"
_encode = msgspec.json.Encoder().encode
_brief = msgspec.msgpack.Decoder(Brief).decode
_texts = msgspec.msgpack.Decoder(list[str]).decode
_MAKE = (
    "CREATE TABLE IF NOT EXISTS shared_excerpt "
    "(id TEXT NOT NULL, bucket INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (id, bucket))"
)


class PulledCandidate(NamedTuple):
    """A candidate as the team's store has it; without data it is gone."""

    id: str
    bucket: int
    sessions: int
    brief: bytes | None
    data: bytes | None
    excerpts: bytes | None


class TeamPopulation(msgspec.Struct, array_like=True):
    """The conversations that count in the whole team, by agent and repository."""

    rows: list[tuple[str, str, int]] = []
    newest: int = 0


def is_team_list(connection: sqlite3.Connection) -> bool:
    """Whether a store holds a team's list."""
    return note(connection, _PULLED) is not None


def pulled_number(connection: sqlite3.Connection) -> int:
    """The team's grouping up to which this machine has it."""
    return int(note(connection, _PULLED) or 0)


def write_candidates(connection: sqlite3.Connection, rows: Iterable[PulledCandidate]) -> int:
    """Take in candidates that changed; how many."""
    connection.execute(_MAKE)
    count = 0
    for row in rows:
        count += 1
        place = (row.id, row.bucket)
        connection.execute("DELETE FROM shared_excerpt WHERE id = ? AND bucket = ?", place)
        if row.data is None:
            connection.execute("DELETE FROM candidate WHERE id = ? AND bucket = ?", place)
            continue
        connection.execute(
            "INSERT OR REPLACE INTO candidate (id, bucket, sessions, brief, data) "
            "VALUES (?, ?, ?, ?, ?)",
            (*place, row.sessions, row.brief, row.data),
        )
        if row.excerpts is not None:
            connection.execute(
                "INSERT INTO shared_excerpt VALUES (?, ?, ?)", (*place, row.excerpts)
            )
    return count


def write_whole(
    connection: sqlite3.Connection,
    *,
    number: int,
    regrouped: Iterable[tuple[str, str]],
    parts: str | None,
    population: TeamPopulation,
    people: Mapping[str, str],
    own: str,
    at_ms: int,
) -> None:
    """Take in what is said of the whole list, as of one grouping."""
    connection.execute("DELETE FROM regrouped")
    connection.executemany("INSERT INTO regrouped VALUES (?, ?)", list(regrouped))
    if parts is not None:
        set_note(connection, PARTS_NOTE, parts)
    set_note(connection, _POPULATION, _encode(population).decode())
    set_note(connection, _PEOPLE, _encode(dict(people)).decode())
    set_note(connection, _OWN, own)
    set_note(connection, _AT, str(at_ms))
    set_note(connection, _PULLED, str(number))


def team_population(connection: sqlite3.Connection) -> TeamPopulation | None:
    """The conversations that count in the whole team; None in a store of one's own."""
    noted = note(connection, _POPULATION)
    return msgspec.json.decode(noted, type=TeamPopulation) if noted else None


def pulled_at(connection: sqlite3.Connection) -> int | None:
    """When this machine last had the list brought."""
    noted = note(connection, _AT)
    return int(noted) if noted else None


def spans_of(
    connection: sqlite3.Connection, candidates: Iterable[Candidate]
) -> dict[str, TeamSpan]:
    """How candidates spread over the team, by id."""
    people, own = people_by_origin(connection), note(connection, _OWN) or ""
    return {one.id: span_of(origins_of(one), people, own) for one in candidates}


def briefs_by_id(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, Brief]:
    """The figures of candidates as they came, of all their sessions."""
    found: dict[str, Brief] = {}
    for some in chunks(sorted(names)):
        rows = connection.execute(
            f"SELECT id, brief FROM candidate WHERE id IN ({marks(some)}) AND brief IS NOT NULL "
            "ORDER BY bucket DESC",
            some,
        )
        found.update((name, _brief(data)) for name, data in rows)
    return found


def people_by_origin(connection: sqlite3.Connection) -> dict[str, str]:
    """Whose each data folder is, by pseudonym."""
    noted = note(connection, _PEOPLE)
    return msgspec.json.decode(noted, type=dict[str, str]) if noted else {}


def shared_excerpts(
    connection: sqlite3.Connection, candidates: Iterable[Candidate]
) -> dict[tuple[str, str, int], str]:
    """What evidence says, by candidate, session and fingerprint, where it is shared."""
    by_id = {one.id: one for one in candidates}
    said: dict[tuple[str, str, int], str] = {}
    for some in chunks(sorted(by_id)):
        rows = connection.execute(
            f"SELECT id, data FROM shared_excerpt WHERE id IN ({marks(some)})", some
        )
        for name, data in rows:
            for cited, text in zip(by_id[name].evidence, _texts(data), strict=False):
                said[name, cited.session, cited.fingerprint] = text
    return said
