"""Group the buckets that changed, wherever their rows lie, and follow ids that are given up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from helix_tui.detect.group import IsAbandoned, group_bucket
from helix_tui.detect.keys import SAID, bucket
from helix_tui.detect.quality import count_sessions
from helix_tui.detect.rank import brief_of
from helix_tui.detect.rows import CandidateRow, GroupingRows, Pairs
from helix_tui.detect.seen import seen_rows
from helix_tui.detect.speech_changes import SpeechChanges
from helix_tui.schema.candidate import Brief, Candidate, Counted, Gated
from helix_tui.schema.large import Tally
from helix_tui.schema.quality import DetectSettings, Quality
from helix_tui.schema.recall import SeenRow
from helix_tui.schema.signal import Signal

# How the ids of what overcame a problem began when that was a candidate of its own.
_OVERCOMES = "recovery-"
# What people ask for is a success as well, since nothing failed, and is followed as problems are.
_FOLLOWED = (_OVERCOMES, "user-request-")
# The bucket that changes whenever anybody works on: whether work was left alone.
ABANDONED = bucket(Signal("abandoned"))


def count_changed(rows: GroupingRows, knobs: Quality, *, is_all: bool) -> list[int] | None:
    """Count anew the sessions that changed, and mark what they signal if they count otherwise.

    Returns these sessions with all others of their conversations; None is every session.
    """
    changed = None if is_all else rows.changed_sessions()
    if changed == []:
        return []
    if changed is None:
        sessions, asked = rows.all_sessions(), None
        joined = rows.pairs_of_all()
    else:
        sessions, joined = _conversations_around(rows, changed)
        asked = sorted({*changed, *(session.key for session in sessions)})
    before = rows.counted_before(asked)
    now = count_sessions(sessions, knobs, joined)
    if asked is not None:
        now = {key: now[key] for key in asked if key in now}
    differing = [one for key, one in now.items() if before.get(key) != one]
    # What was forgotten does not even say any more how it counted.
    gone = {*before, *(asked or ())} - now.keys()
    if not differing and not gone:
        return asked
    rows.write_counted(gone, differing)
    regrouped = [one.key for one in differing if _matters(rows, before.get(one.key), one)]
    rows.mark_buckets_of([*regrouped, *gone])
    # Whether work was left alone depends on whoever came after.
    rows.mark_buckets([ABANDONED])
    return asked


def _conversations_around(rows: GroupingRows, changed: Sequence[int]) -> tuple[list[Gated], Pairs]:
    """All sessions of the conversations that these belong to, and what joins them."""
    sessions: dict[int, Gated] = {}
    joined: Pairs = set()
    wanted: set[int] = set(changed)
    while wanted:
        found = [one for one in rows.families(wanted) if one.key not in sessions]
        sessions.update((one.key, one) for one in found)
        joined |= rows.pairs_around({one.key for one in found})
        wanted = {key for pair in joined for key in pair} - sessions.keys()
        if not found:
            break
    return list(sessions.values()), joined


def _matters(rows: GroupingRows, before: Counted | None, now: Counted) -> bool:
    """Whether a session counts otherwise; when it ended matters only beside one begun with it."""
    if before is None or before._replace(last_ts=now.last_ts) != now:
        return True
    return rows.begin_together(now.first_ts)


def regroup_buckets(
    rows: GroupingRows,
    buckets: Sequence[int],
    speech: SpeechChanges | None,
    settings: DetectSettings,
    news: News | None = None,
) -> News:
    """Bring the candidates of these buckets, and of what is said otherwise, up to their signals.

    `news` is what large buckets changed that were brought up before.
    """
    if speech is not None:
        buckets = sorted(speech.buckets.union(buckets))
    news = news or News()
    is_abandoned = _abandoned(rows)
    for some in rows.chunks(buckets):
        old = rows.stored_in(some)
        found, seen = _grouped(rows, some, is_abandoned)
        rows.replace_seen(some, seen)
        if speech is not None:
            found += speech.candidates(some)
        made = [with_brief(name, one, settings) for name, one in found]
        news.add(old, rows.replace_candidates(some, made), made)
    news.follow(rows, buckets)
    return news


def _abandoned(rows: GroupingRows) -> IsAbandoned:
    """Whether nobody went on after a session, on its branch of its repository."""

    @cache
    def last_at(repo: str, branch: str) -> tuple[int, str]:
        return rows.last_at(repo, branch)

    def is_abandoned(session: Counted) -> bool:
        last_ts, root = last_at(session.repo, session.branch)
        return root == session.root or last_ts <= session.last_ts

    return is_abandoned


def _grouped(
    rows: GroupingRows, buckets: Sequence[int], is_abandoned: IsAbandoned
) -> tuple[list[tuple[int, Candidate]], list[tuple[int, int, SeenRow]]]:
    """The candidates of these buckets, and the errors by which a message finds them."""
    others = [name for name in buckets if name != SAID]
    found: list[tuple[int, Candidate]] = []
    seen: list[tuple[int, int, SeenRow]] = []
    for name, sightings in rows.sightings_in(others).items():
        candidates, many = group_bucket(sightings, is_abandoned)
        rows.keep_many(name, many)
        found += [(name, candidate) for candidate in candidates]
        if rows.keeps_seen:
            seen += [(key, name, row) for key, row in seen_rows(sightings)]
    return found, seen


def is_above_floor(brief: Brief, settings: DetectSettings, *, is_all: bool = False) -> bool:
    """Whether a candidate has the sessions that a list asks for; a sure fix needs fewer."""
    return brief.sessions >= settings.floor(is_sure_fix=brief.is_sure_fix, is_all=is_all)


def with_brief(
    bucket: int, one: Candidate, settings: DetectSettings, tally: Tally | None = None
) -> CandidateRow:
    """A candidate with its figures where a list shows them; always where not all are read."""
    brief = brief_of(one, tally) if one.drawn or len(one.members) >= settings.least else None
    is_listed = brief is not None and (bool(one.drawn) or is_above_floor(brief, settings))
    return bucket, one, brief if is_listed else None


class News:
    """What a grouping changed: counts above the floor, and ids that it no longer gives."""

    def __init__(self) -> None:
        self.new = 0
        self.changed = 0
        self._gone: dict[str, bytes] = {}
        self._buckets: list[int] = []

    def add(
        self, old: dict[str, bytes], new: dict[str, bytes], made: Sequence[CandidateRow]
    ) -> None:
        """Takes what stood in some buckets, and what stands there now."""
        listed = [one.id for _, one, brief in made if brief is not None]
        self.new += sum(1 for name in listed if name not in old)
        self.changed += sum(1 for name in listed if name in old and old[name] != new[name])
        self._gone.update((name, data) for name, data in old.items() if name not in new)
        self._buckets += [name for name, *_ in made]

    def follow(self, rows: GroupingRows, buckets: Sequence[int]) -> None:
        """Notes, for each id that is gone, the id of what most of its evidence is now in."""
        for name in rows.are_there(self._gone):
            del self._gone[name]  # another bucket has it now
        if self._gone:
            votes = self._votes(rows, sorted({*buckets, *self._buckets}))
            replaced = {old: _first(found) for old, found in sorted(votes.items())}
            rows.note_regrouped(replaced.items())
            parts = {new: old for old, found in votes.items() for new in found}
            for new in replaced.values():
                parts.pop(new, None)
            rows.note_parts(parts)

    def _votes(self, rows: GroupingRows, buckets: Sequence[int]) -> dict[str, Counter[str]]:
        """How much of the evidence of each id that is gone each candidate of now cites.

        What overcame a problem cites the same failures: it is found in the problem.
        """
        holders: dict[tuple[str, int], list[str]] = {}
        for data in self._gone.values():
            one = rows.citing(data)
            if one.kind == "success" and not one.id.startswith(_FOLLOWED):
                continue  # what went well is a figure now, and part of no problem
            for cited in one.evidence:
                holders.setdefault((cited.session, cited.fingerprint), []).append(one.id)
        votes: dict[str, Counter[str]] = {}
        for one in rows.citing_in(buckets):
            for cited in one.evidence:
                for old in holders.get((cited.session, cited.fingerprint), ()):
                    votes.setdefault(old, Counter())[one.id] += 1
        return votes


def _first(votes: Counter[str]) -> str:
    """The candidate with most votes."""
    return min(votes, key=lambda name: (-votes[name], name))
