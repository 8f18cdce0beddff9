"""Groups the signals of the buckets that changed, and follows ids that are given up."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from functools import cache

from helix_tui.config import Config
from helix_tui.detect.group import IsAbandoned, group
from helix_tui.detect.keys import SAID, bucket
from helix_tui.detect.quality import count_sessions
from helix_tui.detect.rank import brief_of
from helix_tui.detect.seen import seen_rows
from helix_tui.engine.candidates.grouping import count_listed, signals_version
from helix_tui.engine.candidates.ranking import is_above_floor
from helix_tui.engine.candidates.speech import SpeechChanges
from helix_tui.engine.reader.apply import apply_labels
from helix_tui.engine.sweep.analysis import digest_of_stored, judged_of
from helix_tui.events import CandidateCounts
from helix_tui.schema.candidate import Brief, Candidate, Counted, Gated
from helix_tui.schema.recall import SeenRow
from helix_tui.schema.signal import Signal
from helix_tui.store.database import Database
from helix_tui.store.detection import candidates as stored
from helix_tui.store.detection import eligible as sessions
from helix_tui.store.detection import signals
from helix_tui.store.detection.conversations import Pairs, pairs_around, pairs_of_all
from helix_tui.store.detection.grouping_state import (
    grouped_with,
    note_grouped,
    note_parts,
)
from helix_tui.store.detection.seen import replace_seen
from helix_tui.store.sql import chunks

# How the ids of what overcame a problem began when that was a candidate of its own.
_OVERCOMES = "recovery-"
# What people ask for is a success as well, since nothing failed, and is followed as problems are.
_FOLLOWED = (_OVERCOMES, "user-request-")


def regroup(config: Config, database: Database) -> CandidateCounts:
    """Brings candidates up to what is stored, all in one transaction."""
    connection: sqlite3.Connection = database.connection()
    settings = config.detect.settings()
    with database.atomic("IMMEDIATE"):
        is_all = _make_signals(connection) or grouped_with(connection) != settings
        apply_labels(config, connection)
        touched = _count(connection, config, is_all)
        if is_all:
            signals.mark_all_buckets(connection)
        buckets = signals.changed_buckets(connection)
        speech = SpeechChanges(connection, touched) if SAID in buckets else None
        if speech is not None:
            buckets = sorted(speech.buckets.union(buckets))
        news = _News()
        is_abandoned = _abandoned(connection)
        for some in chunks(buckets):
            old = stored.stored_in(connection, some)
            found, seen = _grouped(connection, some, is_abandoned)
            replace_seen(connection, some, seen)
            if speech is not None:
                found += speech.candidates(some)
            rows = _with_briefs(found, config)
            news.add(old, stored.replace_candidates(connection, some, rows), rows)
        news.follow(connection, buckets)
        note_grouped(connection, settings)
    return news.counts(count_listed(config, database))


def _make_signals(connection: sqlite3.Connection) -> bool:
    """Makes the signals of all sessions where that was never done, or otherwise; says if so."""
    version = signals_version()
    if signals.are_signals_made(connection, version):
        return False
    for key, _, folds in signals.folds_by_session(connection):
        signals.write_signals(connection, key, judged_of(digest_of_stored(folds)))
    signals.note_signals(connection, version)
    return True


def _count(connection: sqlite3.Connection, config: Config, is_all: bool) -> list[int] | None:
    """Counts anew the sessions that changed, and marks what they signal if they count otherwise.

    Returns these sessions with all others of their conversations; None is every session.
    """
    changed = None if is_all else signals.changed_sessions(connection)
    if changed == []:
        return []
    if changed is None:
        rows, asked = sessions.all_sessions(connection), None
        joined = pairs_of_all(connection)
    else:
        rows, joined = _conversations_around(connection, changed)
        asked = sorted({*changed, *(row.key for row in rows)})
    before = sessions.counted_before(connection, asked)
    now = count_sessions(rows, config.detect.quality, joined)
    if asked is not None:
        now = {key: now[key] for key in asked if key in now}
    differing = [one for key, one in now.items() if before.get(key) != one]
    # What was forgotten does not even say any more how it counted.
    gone = {*before, *(asked or ())} - now.keys()
    if not differing and not gone:
        return asked
    sessions.write_counted(connection, gone, differing)
    regrouped = [one.key for one in differing if _matters(connection, before.get(one.key), one)]
    signals.mark_buckets_of(connection, [*regrouped, *gone])
    # Whether work was left alone depends on whoever came after.
    signals.mark_buckets(connection, [bucket(Signal("abandoned"))])
    return asked


def _conversations_around(
    connection: sqlite3.Connection, changed: Sequence[int]
) -> tuple[list[Gated], Pairs]:
    """All sessions of the conversations that these belong to, and what joins them."""
    rows: dict[int, Gated] = {}
    joined: Pairs = set()
    wanted: set[int] = set(changed)
    while wanted:
        found = [row for row in sessions.families(connection, wanted) if row.key not in rows]
        rows.update((row.key, row) for row in found)
        joined |= pairs_around(connection, {row.key for row in found})
        wanted = {key for pair in joined for key in pair} - rows.keys()
        if not found:
            break
    return list(rows.values()), joined


def _matters(connection: sqlite3.Connection, before: Counted | None, now: Counted) -> bool:
    """Whether a session counts otherwise; when it ended matters only beside one begun with it."""
    if before is None or before._replace(last_ts=now.last_ts) != now:
        return True
    return sessions.begin_together(connection, now.first_ts)


def _abandoned(connection: sqlite3.Connection) -> IsAbandoned:
    """Whether nobody went on after a session, on its branch of its repository."""

    @cache
    def last_at(repo: str, branch: str) -> tuple[int, str]:
        return sessions.last_at(connection, repo, branch)

    def is_abandoned(session: Counted) -> bool:
        last_ts, root = last_at(session.repo, session.branch)
        return root == session.root or last_ts <= session.last_ts

    return is_abandoned


def _grouped(
    connection: sqlite3.Connection, buckets: Sequence[int], is_abandoned: IsAbandoned
) -> tuple[list[tuple[int, Candidate]], list[tuple[int, int, SeenRow]]]:
    """The candidates of these buckets, and the errors by which a message finds them."""
    others = [name for name in buckets if name != SAID]
    found: list[tuple[int, Candidate]] = []
    seen: list[tuple[int, int, SeenRow]] = []
    for name, sightings in signals.sightings_in(connection, others).items():
        found += [(name, candidate) for candidate in group(sightings, is_abandoned)]
        seen += [(key, name, row) for key, row in seen_rows(sightings)]
    return found, seen


_Row = tuple[int, Candidate, Brief | None]


def _with_briefs(found: Sequence[tuple[int, Candidate]], config: Config) -> list[_Row]:
    """Candidates with their figures where a list shows them."""
    rows: list[_Row] = []
    for name, one in found:
        brief = brief_of(one) if len(one.members) >= config.detect.least else None
        is_listed = brief is not None and is_above_floor(brief, config)
        rows.append((name, one, brief if is_listed else None))
    return rows


class _News:
    """What a grouping changed: counts above the floor, and ids that it no longer gives."""

    def __init__(self) -> None:
        self._new = 0
        self._changed = 0
        self._gone: dict[str, bytes] = {}

    def add(self, old: dict[str, bytes], new: dict[str, bytes], rows: Sequence[_Row]) -> None:
        """Takes what stood in some buckets, and what stands there now."""
        listed = [one.id for _, one, brief in rows if brief is not None]
        self._new += sum(1 for name in listed if name not in old)
        self._changed += sum(1 for name in listed if name in old and old[name] != new[name])
        self._gone.update((name, data) for name, data in old.items() if name not in new)

    def follow(self, connection: sqlite3.Connection, buckets: Sequence[int]) -> None:
        """Notes, for each id that is gone, the id of what most of its evidence is now in."""
        for name in stored.are_there(connection, self._gone):
            del self._gone[name]  # another bucket has it now
        if self._gone:
            votes = self._votes(connection, buckets)
            replaced = {old: _first(found) for old, found in sorted(votes.items())}
            stored.note_regrouped(connection, replaced.items())
            parts = {new: old for old, found in votes.items() for new in found}
            for new in replaced.values():
                parts.pop(new, None)
            note_parts(connection, parts)

    def _votes(
        self, connection: sqlite3.Connection, buckets: Sequence[int]
    ) -> dict[str, Counter[str]]:
        """How much of the evidence of each id that is gone each candidate of now cites.

        What overcame a problem cites the same failures: it is found in the problem.
        """
        holders: dict[tuple[str, int], list[str]] = {}
        for data in self._gone.values():
            one = stored.unpack_citing(data)
            if one.kind == "success" and not one.id.startswith(_FOLLOWED):
                continue  # what went well is a figure now, and part of no problem
            for cited in one.evidence:
                holders.setdefault((cited.session, cited.fingerprint), []).append(one.id)
        votes: dict[str, Counter[str]] = {}
        for one in stored.citing_in(connection, buckets):
            for cited in one.evidence:
                for old in holders.get((cited.session, cited.fingerprint), ()):
                    votes.setdefault(old, Counter())[one.id] += 1
        return votes

    def counts(self, total: int) -> CandidateCounts:
        """What a sweep's report says of it."""
        return CandidateCounts(self._new, self._changed, total)


def _first(votes: Counter[str]) -> str:
    """The candidate with most votes."""
    return min(votes, key=lambda name: (-votes[name], name))
