"""Groups the signals of the buckets that changed, and follows ids that a new version gives."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from helix_tui.config import Config
from helix_tui.detect.group import group
from helix_tui.detect.keys import together_buckets
from helix_tui.detect.quality import count_sessions
from helix_tui.engine.analysis import digest_of_stored, judged_of
from helix_tui.engine.grouping import signals_version
from helix_tui.events import CandidateCounts
from helix_tui.schema.candidate import Candidate, Counted, Sighting
from helix_tui.store import candidates as stored
from helix_tui.store.database import Database
from helix_tui.store.folds import folds_of
from helix_tui.store.grouped import count_candidates, grouped_with, note_grouped
from helix_tui.store.signals import (
    SESSIONS,
    changed_buckets,
    mark_all,
    mark_sessions,
    note_signals,
    sessions_without_signals,
    signals_in,
    unpack_signals,
    write_signals,
)

# From so many on, reading all signals is quicker than looking for some.
_MANY_BUCKETS = 5000


def regroup(config: Config, database: Database) -> CandidateCounts:
    """Brings candidates up to what is stored, all in one transaction."""
    connection: sqlite3.Connection = database.connection()
    settings = config.detect.settings()
    with database.atomic("IMMEDIATE"):
        before = _make_signals(database)
        sessions = _gate(connection, config)
        if grouped_with(connection) != settings:
            mark_all(connection)
        buckets = sorted({*changed_buckets(connection), *together_buckets()} - {SESSIONS})
        old = stored.stored_in(connection, buckets)
        found = list(_grouped(connection, buckets, sessions))
        new = stored.replace_candidates(connection, buckets, found)
        if before:
            stored.note_regrouped(connection, _replaced(before, [one for _, one in found]))
        note_grouped(connection, settings)
    floor = config.detect.min_sessions
    return _counts(connection, old, new, [one for _, one in found], floor)


def _counts(
    connection: sqlite3.Connection,
    old: dict[str, bytes],
    new: dict[str, bytes],
    found: Sequence[Candidate],
    floor: int,
) -> CandidateCounts:
    listed = [one.id for one in found if len(one.members) >= floor]
    return CandidateCounts(
        sum(1 for name in listed if name not in old),
        sum(1 for name in listed if name in old and old[name] != new[name]),
        count_candidates(connection, floor),
    )


def _make_signals(database: Database) -> list[Candidate]:
    """Makes signals of digests where that was never done, or otherwise.

    Returns the candidates of before, whose ids may not be those that the new signals get.
    """
    connection: sqlite3.Connection = database.connection()
    version = signals_version()
    keys = sessions_without_signals(database, version)
    for key in keys:
        judged = judged_of(digest_of_stored(folds_of(connection, key).values()))
        write_signals(connection, key, judged)
    before = stored.list_candidates(database, 0) if keys else []
    note_signals(connection, version)
    return before


def _gate(connection: sqlite3.Connection, config: Config) -> dict[int, Counted]:
    """Which sessions count; what those have that no longer or only now do is marked."""
    rows = stored.sessions_to_gate(connection)
    sessions = count_sessions(rows, config.detect.quality)
    differing = [
        (sessions[row.key].gate, row.key) for row in rows if sessions[row.key].gate != row.gate
    ]
    stored.write_gates(connection, differing)
    mark_sessions(connection, [key for _, key in differing])
    return sessions


def _grouped(
    connection: sqlite3.Connection, buckets: Sequence[int], sessions: dict[int, Counted]
) -> Iterator[tuple[int, Candidate]]:
    wanted = set(buckets)
    latest = _latest(sessions)

    def is_abandoned(session: Counted) -> bool:
        last = latest[session.repo, session.branch]
        return last[1] == session.root or last[0] <= session.last_ts

    rows = signals_in(connection, None if len(buckets) >= _MANY_BUCKETS else buckets)
    for bucket, some in groupby(rows, key=itemgetter(0)):
        if bucket in wanted:
            sightings = [
                Sighting(sessions[key], unpack_signals(data))
                for _, key, data in some
                if key in sessions
            ]
            for candidate in group(sightings, is_abandoned):
                yield bucket, candidate


def _latest(sessions: dict[int, Counted]) -> dict[tuple[str, str], tuple[int, str]]:
    """The session that was last at work on each branch of each repository."""
    latest: dict[tuple[str, str], tuple[int, str]] = {}
    for session in sessions.values():
        place = session.repo, session.branch
        latest[place] = max(latest.get(place, (0, "")), (session.last_ts, session.root))
    return latest


def _replaced(before: Sequence[Candidate], now: Sequence[Candidate]) -> Iterator[tuple[str, str]]:
    """Old ids that are gone, each with the id of what most of its evidence is now in."""
    current = {candidate.id for candidate in now}
    holders: dict[tuple[str, str, int], str] = {
        (candidate.kind, cited.session, cited.fingerprint): candidate.id
        for candidate in now
        for cited in candidate.evidence
    }
    for candidate in before:
        if candidate.id in current:
            continue
        votes = Counter(
            holder
            for cited in candidate.evidence
            if (holder := holders.get((candidate.kind, cited.session, cited.fingerprint)))
        )
        if votes:
            yield candidate.id, min(votes, key=lambda name: (-votes[name], name))
