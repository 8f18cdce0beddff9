"""Check that what detection stored can be read, and belongs to sessions that exist."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

from helix_tui.store.detection.candidates import unpack_brief, unpack_candidate
from helix_tui.store.detection.signals import DetectionDamagedError, unpack_profile, unpack_signals
from helix_tui.store.detection.speech import unpack_speech

# Each statement returns the rows that are wrong.
_DISAGREEMENTS = {
    "signals of no session": (
        "SELECT 1 FROM signal g LEFT JOIN session s ON s.key = g.session WHERE s.key IS NULL"
    ),
    "counted sessions that are none": (
        "SELECT 1 FROM counted c LEFT JOIN session s ON s.key = c.key AND s.id = c.id "
        "WHERE s.key IS NULL"
    ),
    "sessions that are not counted": (
        "SELECT 1 FROM session s LEFT JOIN counted c ON c.key = s.key "
        "LEFT JOIN changed_session x ON x.session = s.key "
        "WHERE s.turns > 0 AND c.key IS NULL AND x.session IS NULL "
        "AND EXISTS (SELECT 1 FROM note WHERE name = 'grouped')"
    ),
}


def trouble_in_detection(connection: sqlite3.Connection) -> str:
    """What is wrong with signals, profiles and candidates; empty where all is well."""
    return "; ".join(
        [
            *_disagreements(connection),
            *_unreadable(connection, "signals", "signal", unpack_signals),
            *_unreadable(connection, "profiles", "session", unpack_profile, "profile"),
            *_unreadable(connection, "repositories' words", "speech", unpack_speech),
            *_candidates(connection),
        ]
    )


def _disagreements(connection: sqlite3.Connection) -> Iterator[str]:
    for problem, select in _DISAGREEMENTS.items():
        (count,) = connection.execute(f"SELECT count(*) FROM ({select})").fetchone()
        if count:
            yield f"{count:,} {problem}"


def _unreadable(
    connection: sqlite3.Connection,
    noun: str,
    table: str,
    unpack: Callable[[bytes], object],
    column: str = "data",
) -> Iterator[str]:
    count = sum(
        not _reads(unpack, data) for (data,) in connection.execute(f"SELECT {column} FROM {table}")
    )
    if count:
        yield f"{count:,} damaged {noun}"


def _reads(unpack: Callable[[bytes], object], data: bytes) -> bool:
    try:
        unpack(data)
    except DetectionDamagedError:
        return False
    return True


def _candidates(connection: sqlite3.Connection) -> Iterator[str]:
    """Candidates that cannot be read, or that count sessions which do not exist."""
    sessions = {name for (name,) in connection.execute("SELECT id FROM session")}
    damaged = wrong = 0
    rows = connection.execute("SELECT id, sessions, data, brief FROM candidate")
    for name, count, data, brief_data in rows:
        try:
            candidate = unpack_candidate(data)
            brief = unpack_brief(brief_data) if brief_data is not None else None
        except DetectionDamagedError:
            damaged += 1
            continue
        named = {*candidate.members, *(cited.session for cited in candidate.evidence)}
        figures = [(candidate.id, len(candidate.members))]
        figures += [(brief.id, brief.sessions)] if brief else []
        wrong += any(pair != (name, count) for pair in figures) or not named <= sessions
    if damaged:
        yield f"{damaged:,} damaged candidates"
    if wrong:
        yield f"{wrong:,} candidates of sessions that there are not"
