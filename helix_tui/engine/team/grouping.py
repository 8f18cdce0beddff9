"""Group over a whole team: only what was marked, one keeper at a time, big buckets with time.

A lock of the session (`pg_try_advisory_lock`) lets one keeper in. Who finds it held goes away: its
marks are committed, and the holder looks for marks again after it let go. So nothing is lost, and
nobody waits. The transaction has one snapshot, by which marks are taken and rows are read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from helix_tui.detect.keys import SAID
from helix_tui.detect.large_buckets import regroup_large
from helix_tui.detect.regrouping import ABANDONED, count_changed, regroup_buckets
from helix_tui.detect.speech_changes import SpeechChanges
from helix_tui.schema.quality import DetectSettings, Quality

if TYPE_CHECKING:
    from helix_tui.team.database import TeamDatabase
    from helix_tui.team.detection import TeamRows

# The two halves of the lock's name.
_LOCK = (8123, 7)
# In a hurry: so many signals are grouped, of buckets of at most so many each.
_MOST_AT_ONCE = 8_000
_MOST_OF_ONE = 2_000
# With which settings everything was grouped, how often, and the newest session that counts.
_SETTINGS, NUMBER, NEWEST = "grouped", "number", "newest"
_QUALITY = "quality"


class Grouped(NamedTuple):
    """What a grouping did: buckets that were grouped, such that wait, and new candidates."""

    buckets: int
    waiting: int
    new: int
    changed: int


def regroup_team(
    opened: TeamDatabase,
    own: DetectSettings,
    latest: int,
    *,
    is_hurried: bool = True,
    is_own: bool = False,
) -> Grouped | None:
    """Group what was marked; None where another keeper is at it. In a hurry big buckets wait.

    The quality gate is that of the keeper who grouped first, or who says so with `is_own`: keepers
    that are set up otherwise do not undo each other's work. A session dated later than `latest` is
    not taken for the newest.
    """
    total: Grouped | None = None
    settings = _settings(opened, own, is_own=is_own)
    while _is_due(opened, settings, is_hurried=is_hurried or total is not None):
        if not opened.value("SELECT pg_try_advisory_lock(%s, %s)", _LOCK):
            return total
        try:
            done = _one(opened, settings, latest, is_hurried=is_hurried)
        finally:
            opened.rows("SELECT pg_advisory_unlock(%s, %s)", _LOCK)
        total = _added(total, done)
    return total or Grouped(0, _waiting(opened), 0, 0)


def _settings(opened: TeamDatabase, own: DetectSettings, *, is_own: bool) -> DetectSettings:
    """The team's quality gate; floors are as they come, since every reader has their own."""
    noted = opened.value("SELECT value FROM helix.note WHERE name = %s", (_QUALITY,))
    if noted is None or is_own:
        return DetectSettings(quality=own.quality)
    return DetectSettings(quality=msgspec.json.decode(noted, type=Quality))


def _added(total: Grouped | None, done: Grouped) -> Grouped:
    if total is None:
        return done
    return Grouped(
        total.buckets + done.buckets,
        done.waiting,
        total.new + done.new,
        total.changed + done.changed,
    )


def _is_due(opened: TeamDatabase, settings: DetectSettings, *, is_hurried: bool) -> bool:
    """Whether something is marked, or everything was grouped with other settings, or never."""
    marks = "EXISTS (SELECT 1 FROM helix.changed)"
    if not is_hurried:
        marks += " OR EXISTS (SELECT 1 FROM helix.waiting)"
    grouped = "(SELECT value FROM helix.note WHERE name = %s)"
    wanted = (_SETTINGS, settings.settings())
    return bool(opened.value(f"SELECT {marks} OR {grouped} IS DISTINCT FROM %s", wanted))


def _waiting(opened: TeamDatabase) -> int:
    return int(opened.value("SELECT count(*) FROM helix.waiting"))


def waiting_since(opened: TeamDatabase, now_ms: int) -> int:
    """Since when the bucket waits that waits longest; now where none does."""
    return int(opened.value("SELECT min(since_ms) FROM helix.waiting") or now_ms)


def _one(
    opened: TeamDatabase, settings: DetectSettings, latest: int, *, is_hurried: bool
) -> Grouped:
    from helix_tui.team.detection import TeamRows

    connection = opened.connection
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        # How many rows a question is about differs by a thousand times from one to the next.
        connection.execute("SET LOCAL plan_cache_mode = force_custom_plan")
        wanted = settings.settings()
        before = dict(connection.execute("SELECT name, value FROM helix.note").fetchall())
        is_all = before.get(_SETTINGS) != wanted
        number = int(before.get(NUMBER, 0)) + 1
        rows = TeamRows(connection, number, is_all=is_all, left=ABANDONED)
        if is_all:
            rows.forget_large()
        touched = count_changed(rows, settings.quality, is_all=is_all)
        if is_all:
            rows.mark_all_buckets()
        marked = rows.changed_buckets()
        news, large = regroup_large(rows, marked, settings)
        buckets = [name for name in marked if name not in large]
        big = rows.big_buckets() if is_hurried and not is_all else {}
        waiting = put_off(buckets, big)
        now = [name for name in buckets if name not in waiting]
        speech = _speech(rows, touched, is_put_off=SAID in waiting) if SAID in buckets else None
        news = regroup_buckets(rows, now, speech, settings, news)
        rows.note_newest(NEWEST, latest)
        rows.note(_SETTINGS, wanted)
        rows.note(_QUALITY, msgspec.json.encode(settings.quality).decode())
        rows.note(NUMBER, str(number))
        rows.finish(waiting)
    return Grouped(len(now) + len(large), len(waiting), news.new, news.changed)


def _speech(
    rows: TeamRows, touched: Collection[int] | None, *, is_put_off: bool
) -> SpeechChanges | None:
    """What is said otherwise now, of these sessions and of those that were put off before."""
    if is_put_off:
        rows.put_off_speech(touched)
        return None
    before = rows.speech_put_off()
    changes = SpeechChanges(rows, None if touched is None else before.union(touched))
    rows.sizes[SAID] = changes.sessions
    return changes


def put_off(buckets: Sequence[int], big: Mapping[int, int]) -> set[int]:
    """The buckets that are left for a keeper with time: the biggest ones.

    A session more or less changes a candidate of thousands by next to nothing, and reading all of
    them again is what takes the time.
    """
    left = _MOST_AT_ONCE
    waiting: set[int] = set()
    for name in sorted((one for one in buckets if one in big), key=lambda one: (big[one], one)):
        left -= big[name]
        if left < 0 or big[name] > _MOST_OF_ONE:
            waiting.add(name)
    return waiting
