"""Answer whether an error happened before, and what overcame it: by an index, never by a scan."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from helix_tui.detect.seen import fits, keys_of, merged
from helix_tui.engine.memory.recall import Recall
from helix_tui.memory.recall.instructing import addresses_reader
from helix_tui.schema.candidate import Candidate, Remedy
from helix_tui.schema.recall import Cure, Seen, SeenError
from helix_tui.store.database import Database
from helix_tui.store.detection.seen import candidates_of_bucket, seen_by_key
from helix_tui.text.redact import redact
from helix_tui.text.times import iso

# What is looked at of a message: where its error stands is at one of its ends.
_MOST_MESSAGE, _END = 64 << 10, 16 << 10
_MOST_BUCKETS = 12
_MOST_CURES = 4


def seen_before(database: Database, recall: Recall, message: str, repo: str) -> Seen | None:
    """What is known of the error that a message is; None where it was never seen.

    Actions as they were run are told only where they were run in this repository: what another one
    did is told by its form.
    """
    if len(message) > _MOST_MESSAGE:
        message = f"{message[:_END]}\n{message[-_END:]}"
    connection: sqlite3.Connection = database.connection()
    found = [
        one
        for key, template in keys_of(message).items()
        for one in seen_by_key(connection, key)
        if fits(template, one.row.template)
    ]
    if not found:
        return None
    total, here = merged([one.row for one in found], repo)
    candidates = list(_candidates(connection, found))
    ids = [name for one in candidates for name in (one.id, *one.aliases)]
    is_ours = total.last_session and _is_of(connection, total.last_session, repo)
    return Seen(
        total.error_class,
        redact(total.subject) if here else "",
        total.sessions,
        total.count,
        here,
        iso(total.first_ts) or "",
        iso(total.last_ts) or "",
        total.last_session if is_ours else "",
        total.overcame,
        _cures(candidates, repo),
        recall.patterns_of(ids, repo or None),
    )


def _candidates(connection: sqlite3.Connection, found: Sequence[SeenError]) -> Iterable[Candidate]:
    """The candidates of these errors; one of a whole check says nothing of one message."""
    buckets = dict.fromkeys(one.bucket for one in found)
    kinds = {(one.row.error_class, one.row.subject) for one in found}
    templates = {one.row.template for one in found} - {""}
    for bucket in list(buckets)[:_MOST_BUCKETS]:
        for candidate in candidates_of_bucket(connection, bucket):
            is_same = (candidate.error_class, candidate.subject) in kinds
            if is_same and (not templates or templates.intersection(candidate.templates)):
                yield candidate


def _cures(candidates: Iterable[Candidate], repo: str) -> list[Cure]:
    cures = []
    for candidate in candidates:
        repos = {member.repo for member in candidate.members.values()}
        remedies = [candidate.cure] if candidate.cure else candidate.leads
        for remedy in remedies:
            if not remedy.is_weakening and (repo in repos or len(repos) > 1):
                cures.append(_cure(candidate, remedy, is_ours=repos == {repo}))
    sound = [cure for cure in cures if not addresses_reader(f"{cure.text} {cure.works}")]
    return sorted(sound, key=lambda cure: (-cure.worked, cure.text))[:_MOST_CURES]


def _cure(candidate: Candidate, remedy: Remedy, *, is_ours: bool) -> Cure:
    """What overcame it in a word; an example of another repository is not shown in this one."""
    return Cure(
        redact(remedy.verb or remedy.ran or "another way of running it"),
        remedy.sessions,
        remedy.of,
        redact(remedy.failed) if is_ours else "",
        redact(remedy.works) if is_ours else "",
        candidate.id,
    )


def _is_of(connection: sqlite3.Connection, session: str, repo: str) -> bool:
    row = connection.execute("SELECT repo FROM session WHERE id = ?", (session,)).fetchone()
    return row is not None and row[0] == repo
