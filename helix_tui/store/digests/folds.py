"""Folds of sessions by part: stored with the events they cover, read by session or by part."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from helix_tui.store.database import Database
from helix_tui.store.digests.search_index import add_texts, drop_texts
from helix_tui.store.facts import note, set_note
from helix_tui.store.ingest.cursors import read_again
from helix_tui.store.ingest.repositories import name_worktrees
from helix_tui.store.ingest.session_state import RepoOf
from helix_tui.store.sql import chunks, marks

if TYPE_CHECKING:
    from helix_tui.schema.signal import Judged


class StoredFold(NamedTuple):
    """One part's fold; `name` orders it among parts that began at the same time."""

    name: str
    data: bytes


# How the digest stage turns folds into what the store writes; None where that fails.
Judge = Callable[[list[StoredFold]], "Judged | None"]


class Refolded(NamedTuple):
    """The result of analyzing a session again.

    `texts` replace those that it had, unless some of its events could not be read again.
    """

    folds: Mapping[int, bytes]
    texts: list[bytes]
    is_exact: bool


class PendingSession(NamedTuple):
    """A session whose folds do not cover all its stored events."""

    key: int
    id: str
    flavor: str
    evicted_events: int
    events: int


def folds_of(connection: sqlite3.Connection, session_key: int) -> dict[int, StoredFold]:
    """A session's folds by part."""
    rows = connection.execute(
        "SELECT f.part, p.unit, p.name, f.data FROM fold f JOIN part p ON p.key = f.part "
        "WHERE f.session = ?",
        (session_key,),
    )
    return {part: StoredFold(f"{unit}\0{name}", data) for part, unit, name, data in rows}


def folds_of_units(
    database: Database, flavor: str, units: Iterable[str]
) -> dict[tuple[str, str], dict[str, bytes]]:
    """The folds of units by unit and part, for readers that continue them."""
    connection: sqlite3.Connection = database.connection()
    folds: dict[tuple[str, str], dict[str, bytes]] = {}
    for chunk in chunks(sorted(set(units))):
        rows = connection.execute(
            "SELECT p.unit, p.name, s.id, f.data FROM part p JOIN fold f ON f.part = p.key "
            "JOIN session s ON s.key = f.session "
            f"WHERE p.flavor = ? AND p.unit IN ({marks(chunk)})",
            (flavor, *chunk),
        )
        for unit, name, session, data in rows:
            folds.setdefault((unit, name), {})[session] = data
    return folds


def write_folds(connection: sqlite3.Connection, folds: Mapping[tuple[int, int], bytes]) -> None:
    """Store folds by session and part."""
    connection.executemany(
        "INSERT INTO fold (session, part, data) VALUES (?, ?, ?) "
        "ON CONFLICT (part, session) DO UPDATE SET data = excluded.data",
        [(session, part, data) for (session, part), data in folds.items()],
    )


def all_folds(database: Database) -> Iterator[tuple[str, bytes]]:
    """Every stored fold, with the session that it belongs to."""
    connection: sqlite3.Connection = database.connection()
    # All at once: a cursor that is read slowly would keep a writer from emptying its log.
    yield from connection.execute(
        "SELECT s.id, f.data FROM fold f JOIN session s ON s.key = f.session"
    ).fetchall()


def is_exact(database: Database, session_key: int) -> bool:
    """Whether a session's folds cover each of its events once."""
    row = database.execute_sql(
        "SELECT is_exact FROM session WHERE key = ?", (session_key,)
    ).fetchone()
    return bool(row[0])


def pending_sessions(database: Database) -> list[PendingSession]:
    """The sessions whose stored events are not all analyzed."""
    rows = database.execute_sql(
        "SELECT key, id, flavor, evicted_events, events FROM session WHERE is_analyzed = 0 "
        "ORDER BY key"
    )
    return [PendingSession(*row) for row in rows.fetchall()]


def replace_folds(database: Database, session_key: int, refolded: Refolded, judged: Judged) -> None:
    """Replace all folds of a session by newly made ones."""
    from helix_tui.store.detection.signals import write_signals

    connection: sqlite3.Connection = database.connection()
    with database.atomic("IMMEDIATE"):
        connection.execute("DELETE FROM fold WHERE session = ?", (session_key,))
        write_folds(
            connection, {(session_key, part): data for part, data in refolded.folds.items()}
        )
        if refolded.is_exact:
            drop_texts(connection, session_key)
        add_texts(connection, [(session_key, data) for data in refolded.texts if data])
        connection.execute(
            "UPDATE session SET is_analyzed = 1, is_exact = ?, ended = ?, outcome = ?, "
            "outcome_confidence = ?, outcome_reason = ? WHERE key = ?",
            (refolded.is_exact, *judged.verdict, session_key),
        )
        write_signals(connection, session_key, judged)


def keep_folds(database: Database, session_key: int) -> None:
    """Leave a session's folds as an older extractor made them: what they covered is gone."""
    database.execute_sql("UPDATE session SET is_analyzed = 1 WHERE key = ?", (session_key,))


def await_extractor(
    database: Database, extractor: int, first_of_reading: int, repo_of: RepoOf
) -> None:
    """Mark what an older extractor made as pending, where all raw bytes are still stored, or none.

    Of those without any the agent's log may be left; where it is not, the old result is kept, and
    the fold itself says which extractor made it. Logs that were
    read before `first_of_reading` are read again, as far as they are still there, and worktrees
    are named after their repository.
    """
    connection: sqlite3.Connection = database.connection()
    before = note(connection, "extractor")
    if before == str(extractor):
        return
    with database.atomic("IMMEDIATE"):
        if before is not None and int(before) < first_of_reading:
            read_again(connection)
            name_worktrees(connection, repo_of)
        connection.execute(
            "UPDATE session SET is_analyzed = 0 WHERE events > 0 AND evicted_events IN (0, events)"
        )
        set_note(connection, "extractor", str(extractor))
