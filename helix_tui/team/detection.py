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

import msgspec

from helix_tui.schema.candidate import Brief, Candidate, Citing, Counted, Gated, Sighting
from helix_tui.schema.recall import SeenRow
from helix_tui.schema.signal import Profile, Signal
from helix_tui.schema.speech import Speech
from helix_tui.schema.team import MOST_MEMBERS, origins_of, place_names
from helix_tui.store.detection.candidates import pack_brief, pack_candidate, unpack_citing
from helix_tui.store.detection.speech import pack_speech, unpack_speech
from helix_tui.text.hashing import hash64

_signals = msgspec.json.Decoder(list[Signal]).decode
_profile = msgspec.json.Decoder(Profile).decode
_encode = msgspec.msgpack.Encoder().encode
_MANY = 500
_MOST_TEXT = 2_048
# So many signals of big buckets are grouped at once.
_MOST_HELD = 50_000
# A bucket of so many sessions is remembered as a big one.
BIG = 50

_GATED = (
    "SELECT s.key, s.uid, s.parent, s.flavor, s.repo, s.branch, s.first_ts, s.last_ts, s.events, "
    "s.profile, s.is_placeless FROM helix.session s"
)
# The month of a session leads to its partition.
_BY_KEY = f"{_GATED} JOIN helix.session_key k ON k.key = s.key AND k.month = s.month"
_COUNTED = "SELECT key, uid, root, flavor, repo, branch, first_ts, last_ts, gate FROM helix.counted"
_SIGHTED = (
    "s.data, c.key, c.uid, c.root, c.flavor, c.repo, c.branch, c.first_ts, c.last_ts, c.gate, "
    "c.is_sub_agent"
)


class TeamRows:
    """A team's `GroupingRows` (`helix_tui/detect/rows.py`), inside of a transaction."""

    def __init__(self, connection: Any, number: int, *, is_all: bool = False) -> None:
        """Take what is marked; `number` is this grouping's, and what it changes bears it."""
        self._connection = connection
        self._number = number
        self._marked: set[int] = set()
        self._changed_keys: set[int] = set()
        self._is_sub_agent: dict[int, bool] = {}
        self._before: dict[int, Counted] = {}
        self._last_seals: dict[tuple[str, int], int] = {}
        # What the signals say that were read last, by session and event.
        self._said: dict[tuple[str, int], str] = {}
        self.sizes: Counter[int] = Counter()
        self._take_marks()
        self._names = self._places(is_all=is_all)

    def _all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._connection.execute(sql, values).fetchall()
        return rows

    def _do(self, sql: str, *values: object) -> None:
        self._connection.execute(sql, values)

    def _do_many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        if rows:
            with self._connection.cursor() as cursor:
                cursor.executemany(sql, rows)

    # What was marked.
    def _take_marks(self) -> None:
        """Only marks of this snapshot go: what comes meanwhile has rows of its own."""
        for name, key in self._all(
            "WITH gone AS (DELETE FROM helix.changed RETURNING bucket, key) "
            "SELECT DISTINCT bucket, key FROM gone"
        ):
            if name is not None:
                self._marked.add(name)
            if key is not None:
                self._changed_keys.add(key)
        waiting = self._all("DELETE FROM helix.waiting RETURNING bucket, since_ms")
        self._since: dict[int, int] = dict(waiting)
        self._marked.update(self._since)

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
        """Of how many sessions big buckets are."""
        return dict(self._all("SELECT bucket, sightings FROM helix.big_bucket"))

    def put_off_speech(self, keys: Collection[int] | None) -> None:
        """Remember whose speech changed, until what is said is grouped."""
        self._do_many(
            "INSERT INTO helix.put_off VALUES (%s) ON CONFLICT DO NOTHING",
            [(key,) for key in keys or ()],
        )

    def speech_put_off(self) -> set[int]:
        """Whose speech changed since what is said was grouped; from now on it is known."""
        return {key for (key,) in self._all("DELETE FROM helix.put_off RETURNING key")}

    # Names of repositories.
    def _places(self, *, is_all: bool) -> dict[str, str]:
        """How repositories are named: as they are shared, and told apart where two are alike."""
        named = (
            "INSERT INTO helix.place SELECT DISTINCT ON (s.repo) s.repo, s.repo_name "
            "FROM helix.session s {} s.repo <> '' AND s.repo_name IS NOT NULL "
            "ORDER BY s.repo, s.repo_name ON CONFLICT (repo) DO UPDATE SET name = excluded.name "
            "WHERE helix.place.name <> excluded.name"
        )
        if is_all:
            self._do(named.format("WHERE"))
        for some in [] if is_all else _runs(sorted(self._changed_keys)):
            by_key = (
                "JOIN helix.session_key k ON k.key = s.key AND k.month = s.month "
                "WHERE k.key = ANY(%s) AND"
            )
            self._do(named.format(by_key), some)
        known: dict[str, str] = dict(self._all("SELECT repo, name FROM helix.place"))
        often = Counter(known.values())
        # Who was counted by a name that two have now is counted by another one.
        twice = [name for name, number in often.items() if number > 1]
        if twice:
            rows = self._all("SELECT key FROM helix.counted WHERE repo = ANY(%s)", twice)
            self._changed_keys.update(key for (key,) in rows)
        return place_names(known)

    # Sessions.
    def changed_sessions(self) -> list[int]:
        return sorted(self._changed_keys)

    def all_sessions(self) -> list[Gated]:
        return self._gated(self._all(f"{_GATED} WHERE s.turns > 0"))

    def families(self, keys: Iterable[int]) -> list[Gated]:
        rows = {row.key: row for row in self._by_key(sorted(keys))}
        parents = {row.parent for row in rows.values() if row.parent}
        known = {row.id for row in rows.values()}
        while missing := sorted(parents - known):
            known.update(missing)
            found = self._by_uid(missing)
            rows.update((row.key, row) for row in found)
            parents = {row.parent for row in found if row.parent}
        below = list(rows.values())
        while below:
            ids = sorted(row.id for row in below)
            found = self._gated(
                self._all(f"{_GATED} WHERE s.parent = ANY(%s) AND s.turns > 0", ids)
            )
            below = [row for row in found if row.key not in rows]
            rows.update((row.key, row) for row in below)
        return list(rows.values())

    def _by_key(self, keys: Sequence[int]) -> list[Gated]:
        return self._gated(
            row
            for some in _runs(keys)
            for row in self._all(f"{_BY_KEY} WHERE k.key = ANY(%s) AND s.turns > 0", some)
        )

    def _by_uid(self, uids: Sequence[str]) -> list[Gated]:
        return self._gated(
            row
            for some in _runs(uids)
            for row in self._all(f"{_BY_KEY} WHERE k.uid = ANY(%s) AND s.turns > 0", some)
        )

    def _gated(self, rows: Iterable[tuple[Any, ...]]) -> list[Gated]:
        found = []
        for row in rows:
            key, uid, parent, flavor, repo, branch, first, last, events, profile, placeless = row
            read = _profile(profile) if profile else Profile()
            place = self._names.get(repo, repo) or None
            self._is_sub_agent[key] = parent is not None
            found.append(
                Gated(
                    key,
                    uid,
                    parent,
                    flavor,
                    place,
                    branch or None,
                    first,
                    last,
                    events,
                    read,
                    bool(placeless),
                )
            )
        return found

    def pairs_of_all(self) -> set[tuple[int, int]]:
        rows = self._all(
            "SELECT array_agg(DISTINCT key) FROM (SELECT key, unnest(marks) AS mark "
            "FROM helix.session) held GROUP BY mark HAVING count(DISTINCT key) > 1"
        )
        return {(min(keys), key) for (keys,) in rows for key in keys if key != min(keys)}

    def pairs_around(self, keys: Collection[int]) -> set[tuple[int, int]]:
        pairs: set[tuple[int, int]] = set()
        for some in _runs(sorted(keys)):
            rows = self._all(
                "SELECT k.key, s.marks FROM helix.session s JOIN helix.session_key k "
                "ON k.key = s.key AND k.month = s.month WHERE k.key = ANY(%s)",
                some,
            )
            holders: dict[int, set[int]] = {}
            for key, marks in rows:
                for mark in marks:
                    holders.setdefault(mark, set()).add(key)
            for wanted in _runs(list(holders)):
                for mark, key in self._all("SELECT * FROM helix.sharing(%s::bigint[])", wanted):
                    holders[mark].add(key)
            pairs |= {(min(held), key) for held in holders.values() for key in held}
        return {(one, two) for one, two in pairs if one != two}

    # How sessions count.
    def counted_before(self, keys: Sequence[int] | None) -> dict[int, Counted]:
        if keys is None:
            rows = self._all(_COUNTED)
        else:
            rows = [
                row
                for some in _runs(keys)
                for row in self._all(f"{_COUNTED} WHERE key = ANY(%s)", some)
            ]
        self._before = {row[0]: Counted._make(row) for row in rows}
        return self._before

    def write_counted(self, dropped: Iterable[int], counted: Sequence[Counted]) -> None:
        gone = sorted(dropped)
        changed = [one.key for one in counted if one.key in self._before]
        for some in _runs([*gone, *changed]):
            self._do("DELETE FROM helix.counted WHERE key = ANY(%s)", some)
        with self._connection.cursor() as cursor:
            copy_in = (
                "COPY helix.counted (key, uid, root, flavor, repo, branch, first_ts, last_ts, "
                "gate, is_sub_agent) FROM STDIN"
            )
            with cursor.copy(copy_in) as copy:
                for one in counted:
                    copy.write_row((*one, self._is_sub_agent.get(one.key, False)))
        self._count_population(gone, counted)

    def _count_population(self, gone: Sequence[int], counted: Sequence[Counted]) -> None:
        """Keep how many conversations count, by agent and repository."""
        delta: Counter[tuple[str, str]] = Counter()
        before = [self._before[key] for key in gone if key in self._before]
        before += [self._before[one.key] for one in counted if one.key in self._before]
        for sign, some in ((-1, before), (1, counted)):
            for one in some:
                if one.gate is None and one.id == one.root:
                    delta[one.flavor, one.repo] += sign
        self._do_many(
            "INSERT INTO helix.population VALUES (%s, %s, %s) ON CONFLICT (flavor, repo) "
            "DO UPDATE SET sessions = helix.population.sessions + excluded.sessions",
            [(flavor, repo, number) for (flavor, repo), number in delta.items() if number],
        )

    def begin_together(self, first_ts: int) -> bool:
        rows = self._all("SELECT 1 FROM helix.counted WHERE first_ts = %s LIMIT 2", first_ts)
        return len(rows) > 1

    def last_at(self, repo: str, branch: str) -> tuple[int, str]:
        rows = self._all(
            "SELECT last_ts, root FROM helix.counted WHERE repo = %s AND branch = %s "
            'ORDER BY last_ts DESC, root COLLATE "C" DESC LIMIT 1',
            repo,
            branch,
        )
        return (rows[0][0], rows[0][1]) if rows else (0, "")

    # Signals.
    def mark_buckets_of(self, keys: Sequence[int]) -> None:
        for some in _runs(keys):
            rows = self._all(
                "SELECT DISTINCT s.bucket FROM helix.signal s JOIN helix.session_key k "
                "ON k.key = s.key AND k.month = s.month WHERE k.key = ANY(%s)",
                some,
            )
            self._marked.update(name for (name,) in rows)

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
            f"SELECT s.bucket, {_SIGHTED} FROM helix.signal s JOIN helix.counted c "
            "ON c.key = s.key WHERE s.bucket = ANY(%s) AND c.gate IS NULL",
            list(buckets),
        )
        sightings: dict[int, list[Sighting]] = {}
        self._said = {}
        for name, *row in rows:
            sightings.setdefault(name, []).append(self._sighting(row))
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
        for some in _runs(keys):
            found.update(self._all(f"{select} AND s.key = ANY(%s)", bucket, some))
        return found

    def sightings_of(self, bucket: int, keys: Sequence[int]) -> list[Sighting]:
        select = (
            f"SELECT {_SIGHTED} FROM helix.signal s JOIN helix.counted c ON c.key = s.key "
            "WHERE s.bucket = %s AND s.key = ANY(%s) AND c.gate IS NULL"
        )
        return [
            self._sighting(row) for some in _runs(keys) for row in self._all(select, bucket, some)
        ]

    # Candidates.
    def stored_in(self, buckets: Sequence[int]) -> dict[str, bytes]:
        rows = self._all(
            "SELECT id, bucket, seal, data FROM helix.candidate WHERE bucket = ANY(%s) "
            "AND data IS NOT NULL",
            list(buckets),
        )
        self._last_seals = {(name, bucket): seal for name, bucket, seal, _ in rows}
        return {name: data for name, _, _, data in rows}

    def replace_candidates(
        self, buckets: Sequence[int], rows: Iterable[tuple[int, Candidate, Brief | None]]
    ) -> dict[str, bytes]:
        """Write only what differs: what is gone is emptied, so that whoever pulls sees it."""
        new = {(one.id, name): (one, brief) for name, one, brief in rows}
        seals = {place: hash64(pack_candidate(one)) for place, (one, _) in new.items()}
        packed = {place: pack_candidate(_kept(one)) for place, (one, _) in new.items()}
        gone = [place for place in self._last_seals if place not in new]
        self._do_many(
            "UPDATE helix.candidate SET sessions = 0, brief = NULL, data = NULL, "
            "excerpts = NULL, n = %s "
            "WHERE id = %s AND bucket = %s",
            [(self._number, *place) for place in gone],
        )
        differing = [place for place, seal in seals.items() if self._last_seals.get(place) != seal]
        self._do_many(
            "INSERT INTO helix.candidate (id, bucket, seal, sessions, brief, data, excerpts, n) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (id, bucket) DO UPDATE SET "
            "seal = excluded.seal, sessions = excluded.sessions, brief = excluded.brief, "
            "data = excluded.data, excerpts = excluded.excerpts, n = excluded.n",
            [self._row((*place, seals[place]), *new[place], packed[place]) for place in differing],
        )
        return {name: data for (name, _), data in packed.items()}

    def replace_seen(
        self, buckets: Sequence[int], rows: Iterable[tuple[int, int, SeenRow]]
    ) -> None:
        """Nobody asks a team what a message means; each asks the logs at home."""

    def are_there(self, names: Iterable[str]) -> set[str]:
        return {
            name
            for some in _runs(sorted(names))
            for (name,) in self._all(
                "SELECT id FROM helix.candidate WHERE id = ANY(%s) AND data IS NOT NULL", some
            )
        }

    def citing(self, data: bytes) -> Citing:
        return unpack_citing(data)

    def citing_in(self, buckets: Sequence[int]) -> Iterator[Citing]:
        for some in _runs(buckets):
            rows = self._all(
                "SELECT data FROM helix.candidate WHERE bucket = ANY(%s) AND data IS NOT NULL "
                'ORDER BY id COLLATE "C"',
                some,
            )
            for (data,) in rows:
                yield unpack_citing(data)

    def note_regrouped(self, replaced: Iterable[tuple[str, str]]) -> None:
        for old, new in replaced:
            self._do("UPDATE helix.regrouped SET new = %s WHERE new = %s", new, old)
            self._do(
                "INSERT INTO helix.regrouped VALUES (%s, %s) ON CONFLICT (old) "
                "DO UPDATE SET new = excluded.new",
                old,
                new,
            )
        self._do("DELETE FROM helix.regrouped WHERE old = new")

    def note_parts(self, parts: dict[str, str]) -> None:
        if parts:
            known = msgspec.json.decode(self.noted("parts") or "{}", type=dict[str, str]) | parts
            self.note("parts", msgspec.json.encode(known, order="sorted").decode())

    def _sighting(self, row: Sequence[Any]) -> Sighting:
        data, *session, is_sub_agent = row
        sighting = Sighting(Counted._make(session), _signals(data), is_sub_agent)
        for signal in sighting.signals:
            text = "\n".join(filter(None, (signal.before or signal.failed, signal.text)))
            for name in signal.fingerprints if text else ():
                self._said[sighting.session.id, name] = text
        return sighting

    def _row(
        self, place: tuple[str, int, int], one: Candidate, brief: Brief | None, data: bytes
    ) -> tuple[object, ...]:
        """A candidate as it is stored, with what its evidence says where that is shared."""
        texts = [self._said.get((cited.session, cited.fingerprint), "") for cited in one.evidence]
        shared = _encode([text[:_MOST_TEXT] for text in texts]) if any(texts) else None
        if brief is not None:
            brief = msgspec.structs.replace(brief, origins=origins_of(one))
        packed = pack_brief(brief) if brief is not None else None
        return (*place, len(one.members), packed, data, shared, self._number)

    # What is noted of the whole.
    def noted(self, name: str) -> str | None:
        """Something that an earlier grouping noted; None where it never did."""
        rows = self._all("SELECT value FROM helix.note WHERE name = %s", name)
        return rows[0][0] if rows else None

    def note_newest(self, name: str, latest: int) -> None:
        """Note when the newest session that counts ended, unless its clock is wrong."""
        rows = self._all(
            "SELECT max(last_ts) FROM helix.counted WHERE gate IS NULL AND last_ts <= %s", latest
        )
        self.note(name, str(rows[0][0] or 0))

    def note(self, name: str, value: str) -> None:
        """Note something of the whole."""
        self._do(
            "INSERT INTO helix.note VALUES (%s, %s) ON CONFLICT (name) "
            "DO UPDATE SET value = excluded.value",
            name,
            value,
        )


def _kept(candidate: Candidate) -> Candidate:
    """A candidate with as many of its conversations as are stored.

    These are those that are cited, and the latest. Its figures, in its brief, are of all.
    """
    members = candidate.members
    if len(members) <= MOST_MEMBERS:
        return candidate
    cited = {one.session for one in candidate.evidence}
    latest = sorted(
        members, key=lambda name: (name not in cited, -(members[name].last_ts or 0), name)
    )
    kept = {name: members[name] for name in sorted(latest[:MOST_MEMBERS])}
    return msgspec.structs.replace(candidate, members=kept)


def _runs(values: Sequence[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(values), _MANY):
        yield list(values[start : start + _MANY])
