"""The rows of a team's PostgreSQL as grouping asks for them, by bucket and by session.

Only a keeper groups, one at a time (`engine/team/grouping.py` holds the lock), in one transaction
with one snapshot: what is pushed meanwhile stays marked for the next.
"""

# ruff: noqa: D102 - what each of them does is said in helix_tui/detect/rows.py

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from helix_tui.schema.candidate import Sighting
from helix_tui.schema.speech import Speech
from helix_tui.store.detection.speech import pack_speech, unpack_speech
from helix_tui.team.candidate_rows import CandidateRows
from helix_tui.team.grouping_transaction import SIGHTED, in_runs
from helix_tui.team.large_rows import LargeBuckets
from helix_tui.team.session_rows import SessionRows

# So many buckets, and so many signals of big ones, are grouped at once.
_MANY = 500
_MOST_HELD = 50_000
# A bucket of so many sessions is remembered as a big one.
BIG = 50
# Found one by one: joined at once, all sessions are read for the signals of a few hundred buckets.
_COUNTED = "LATERAL (SELECT * FROM helix.counted WHERE key = s.key OFFSET 0) AS c"


class TeamRows(SessionRows, CandidateRows, LargeBuckets):
    """A team's `GroupingRows` (`helix_tui/detect/rows.py`), inside of a transaction."""

    # Nobody asks a team what a message means; each asks the logs at home.
    keeps_seen = False

    def __init__(
        self, connection: Any, number: int, *, is_all: bool = False, left: int | None = None
    ) -> None:
        """Take what is marked; `number` is this grouping's, and what it changes bears it.

        `left` is the bucket of work that was left alone, of which nearly all does not count.
        """
        super().__init__(connection, number)
        self._marked: set[int] = set()
        self._touched = {}
        self._last_seals = {}
        self._left = left
        self.sizes: Counter[int] = Counter()
        self._take_marks()
        self._names = self._places(is_all=is_all)

    # What was marked.
    def _take_marks(self) -> None:
        """Only marks of this snapshot go: what comes meanwhile has rows of its own."""
        for name, key in self._all(
            "WITH gone AS (DELETE FROM helix.changed RETURNING bucket, key) "
            "SELECT DISTINCT bucket, key FROM gone"
        ):
            if name is None:
                self._changed_keys.add(key)
            else:
                self._mark(name, key)
        waiting = self._all("DELETE FROM helix.waiting RETURNING bucket, since_ms")
        self._since: dict[int, int] = dict(waiting)
        self._marked.update(self._since)

    def _mark(self, bucket: int, key: int | None) -> None:
        self._marked.add(bucket)
        if key is not None:
            self._touched.setdefault(bucket, set()).add(key)

    def finish(self, waiting: Collection[int]) -> None:
        """Leave the marks of buckets that wait, and note which buckets are big."""
        now = time.time_ns() // 1_000_000
        self._do_many(
            "INSERT INTO helix.waiting VALUES (%s, %s)",
            [(name, self._since.get(name, now)) for name in waiting],
        )
        self._do_many(
            "INSERT INTO helix.big_bucket VALUES (%s, %s) ON CONFLICT (bucket) DO UPDATE "
            "SET sightings = excluded.sightings",
            [(name, size) for name, size in self.sizes.items() if size >= BIG],
        )

    def big_buckets(self) -> dict[int, int]:
        """Of how many sessions big buckets are that are read whole."""
        return dict(
            self._all(
                "SELECT bucket, sightings FROM helix.big_bucket b WHERE NOT EXISTS "
                "(SELECT 1 FROM helix.large_bucket l WHERE l.bucket = b.bucket)"
            )
        )

    def put_off_speech(self, keys: Collection[int] | None) -> None:
        """Remember whose speech changed, until what is said is grouped."""
        self._do_many(
            "INSERT INTO helix.put_off VALUES (%s) ON CONFLICT DO NOTHING",
            [(key,) for key in keys or ()],
        )

    def speech_put_off(self) -> set[int]:
        """Whose speech changed since what is said was grouped; from now on it is known."""
        return {key for (key,) in self._all("DELETE FROM helix.put_off RETURNING key")}

    # Signals.
    def mark_buckets_of(self, keys: Sequence[int]) -> None:
        for some in in_runs(keys):
            rows = self._all(
                "SELECT s.bucket, s.key FROM helix.signal s JOIN helix.session_key k "
                "ON k.key = s.key AND k.month = s.month WHERE k.key = ANY(%s)",
                some,
            )
            for name, key in rows:
                self._mark(name, key)

    def mark_buckets(self, buckets: Iterable[int]) -> None:
        self._marked.update(buckets)

    def mark_all_buckets(self) -> None:
        for table in ("signal", "candidate"):
            rows = self._all(f"SELECT DISTINCT bucket FROM helix.{table}")
            self._marked.update(name for (name,) in rows)

    def changed_buckets(self) -> list[int]:
        return sorted(self._marked)

    def sightings_in(self, buckets: Sequence[int]) -> dict[int, list[Sighting]]:
        rows = self._all(
            f"SELECT s.bucket, {SIGHTED} FROM helix.signal s, {_COUNTED} "
            "WHERE s.bucket = ANY(%s) AND c.gate IS NULL",
            [name for name in buckets if name != self._left],
        )
        if self._left in buckets:
            rows += self._left_alone(self._left)
        sightings: dict[int, list[Sighting]] = {}
        self._read = {}
        for name, *row in rows:
            sightings.setdefault(name, []).append(self._sighting(name, row))
        for name, some in sightings.items():
            self.sizes[name] = len(some)
        return sightings

    def chunks(self, buckets: Sequence[int]) -> Iterator[Sequence[int]]:
        """Few big buckets at once: the signals of all of them are in memory together."""
        big = self.big_buckets()
        some: list[int] = []
        held = 0
        for name in buckets:
            size = big.get(name, 0)
            if some and (len(some) >= _MANY or held + size > _MOST_HELD):
                yield some
                some, held = [], 0
            some.append(name)
            held += size
        if some:
            yield some

    # What people say.
    def seals(self) -> dict[int, int]:
        return dict(self._all("SELECT bucket, seal FROM helix.saying"))

    def write_seals(self, gone: Iterable[int], changed: Mapping[int, int]) -> None:
        self._do("DELETE FROM helix.saying WHERE bucket = ANY(%s)", list(gone))
        self._do_many(
            "INSERT INTO helix.saying VALUES (%s, %s) ON CONFLICT (bucket) "
            "DO UPDATE SET seal = excluded.seal",
            list(changed.items()),
        )

    def speeches(self) -> dict[str, Speech]:
        rows = self._all("SELECT repo, data FROM helix.speech")
        return {repo: unpack_speech(data) for repo, data in rows}

    def write_speeches(self, changed: Mapping[str, Speech | None]) -> None:
        for repo, speech in changed.items():
            self._do("DELETE FROM helix.speech WHERE repo = %s", repo)
            if speech is not None:
                self._do("INSERT INTO helix.speech VALUES (%s, %s)", repo, pack_speech(speech))

    def drop_speech(self) -> None:
        self._do("DELETE FROM helix.speech")

    def places(self, bucket: int, keys: Sequence[int] | None) -> dict[int, str]:
        select = (
            "SELECT c.key, r.repo FROM helix.signal s JOIN helix.counted c ON c.key = s.key "
            "JOIN helix.counted r ON r.uid = c.root WHERE s.bucket = %s AND c.gate IS NULL"
        )
        if keys is None:
            return dict(self._all(select, bucket))
        found: dict[int, str] = {}
        for some in in_runs(keys):
            found.update(self._all(f"{select} AND s.key = ANY(%s)", bucket, some))
        return found

    def sightings_of(self, bucket: int, keys: Sequence[int]) -> list[Sighting]:
        rows = self._rows_at([(bucket, key) for key in keys])
        return [self._sighting(None, row) for _, *row in rows]
