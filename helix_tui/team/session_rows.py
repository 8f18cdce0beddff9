"""Sessions of a team as grouping asks for them: how repositories are named, and how they count."""

# ruff: noqa: D102 - what each of them does is said in helix_tui/detect/rows.py

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from helix_tui.schema.candidate import Counted, Gated
from helix_tui.schema.signal import Profile
from helix_tui.schema.team import place_names
from helix_tui.team.grouping_transaction import SIGHTED, GroupingTransaction, in_runs

_profile = msgspec.json.Decoder(Profile).decode
_GATED = (
    "SELECT s.key, s.uid, s.parent, s.flavor, s.repo, s.branch, s.first_ts, s.last_ts, s.events, "
    "s.profile, s.is_placeless, s.month FROM helix.session s"
)
# The month of a session leads to its partition.
_BY_KEY = f"{_GATED} JOIN helix.session_key k ON k.key = s.key AND k.month = s.month"
_COUNTED = "SELECT key, uid, root, flavor, repo, branch, first_ts, last_ts, gate FROM helix.counted"


class SessionRows(GroupingTransaction):
    """The sessions of a team, inside of a transaction."""

    _names: dict[str, str]

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
        for some in [] if is_all else in_runs(sorted(self._changed_keys)):
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
        wanted = sorted(keys)
        rows = {row.key: row for row in self._by_key(wanted)}
        rows.update((row.key, row) for row in self._by_key(self._beside(wanted)))
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

    def _beside(self, keys: Sequence[int]) -> list[int]:
        """Who was in one conversation with these: what joined them may be gone by now."""
        rows = self._all(
            "SELECT DISTINCT o.key FROM helix.counted c JOIN helix.counted o ON o.root = c.root "
            "WHERE c.key = ANY(%s)",
            list(keys),
        )
        return sorted({key for (key,) in rows} - set(keys))

    def _by_key(self, keys: Sequence[int]) -> list[Gated]:
        return self._gated(
            row
            for some in in_runs(keys)
            for row in self._all(f"{_BY_KEY} WHERE k.key = ANY(%s) AND s.turns > 0", some)
        )

    def _by_uid(self, uids: Sequence[str]) -> list[Gated]:
        return self._gated(
            row
            for some in in_runs(uids)
            for row in self._all(f"{_BY_KEY} WHERE k.uid = ANY(%s) AND s.turns > 0", some)
        )

    def _gated(self, rows: Iterable[tuple[Any, ...]]) -> list[Gated]:
        found = []
        for row in rows:
            key, uid, parent, flavor, repo, branch, first, last, events, profile, *rest = row
            placeless, self._month[key] = rest
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
        for some in in_runs(sorted(keys)):
            rows = self._all(
                "SELECT k.key, s.marks FROM helix.session s JOIN helix.session_key k "
                "ON k.key = s.key AND k.month = s.month WHERE k.key = ANY(%s)",
                some,
            )
            holders: dict[int, set[int]] = {}
            for key, marks in rows:
                for mark in marks:
                    holders.setdefault(mark, set()).add(key)
            for wanted in in_runs(list(holders)):
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
                for some in in_runs(keys)
                for row in self._all(f"{_COUNTED} WHERE key = ANY(%s)", some)
            ]
        self._before = {row[0]: Counted._make(row) for row in rows}
        return self._before

    def write_counted(self, dropped: Iterable[int], counted: Sequence[Counted]) -> None:
        gone = sorted(dropped)
        changed = [one.key for one in counted if one.key in self._before]
        for some in in_runs([*gone, *changed]):
            self._do("DELETE FROM helix.counted WHERE key = ANY(%s)", some)
        with self._connection.cursor() as cursor:
            copy_in = (
                "COPY helix.counted (key, uid, root, flavor, repo, branch, first_ts, last_ts, "
                "gate, is_sub_agent, month) FROM STDIN"
            )
            with cursor.copy(copy_in) as copy:
                for one in counted:
                    is_sub_agent = self._is_sub_agent.get(one.key, False)
                    copy.write_row((*one, is_sub_agent, self._month.get(one.key)))
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

    def _left_alone(self, bucket: int | None) -> list[tuple[Any, ...]]:
        """The signals of sessions that nobody worked on behind, and who did last on each branch."""
        latest = 'last_ts DESC, root COLLATE "C" DESC LIMIT 1'
        columns = "repo, branch, last_ts, root"
        rows = self._all(
            f"WITH RECURSIVE place AS ((SELECT {columns} FROM helix.counted "
            f"ORDER BY repo, branch, {latest}) UNION ALL SELECT n.* FROM place p, LATERAL ("
            f"SELECT {columns} FROM helix.counted c WHERE (c.repo, c.branch) > (p.repo, p.branch) "
            f"ORDER BY repo, branch, {latest}) n), last AS ("
            "SELECT c.*, p.last_ts AS place_ts, p.root AS place_root FROM place p "
            "JOIN helix.counted c ON c.root = p.root "
            "WHERE c.repo = p.repo AND c.branch = p.branch UNION "
            "SELECT c.*, p.last_ts, p.root FROM place p, LATERAL (SELECT * FROM helix.counted "
            "WHERE repo = p.repo AND branch = p.branch AND last_ts >= p.last_ts OFFSET 0) AS c) "
            f"SELECT c.repo, c.branch, c.place_ts, c.place_root, s.bucket, {SIGHTED} FROM last c, "
            "LATERAL (SELECT bucket, data FROM helix.signal WHERE month = c.month "
            "AND key = c.key AND bucket = %s OFFSET 0) AS s "
            "WHERE s.data IS NOT NULL AND c.gate IS NULL",
            bucket,
        )
        self._last = {(repo, branch): (ts, root) for repo, branch, ts, root, *_ in rows}
        return [row[4:] for row in rows]

    def last_at(self, repo: str, branch: str) -> tuple[int, str]:
        if (known := self._last.get((repo, branch))) is not None:
            return known
        rows = self._all(
            "SELECT last_ts, root FROM helix.counted WHERE repo = %s AND branch = %s "
            'ORDER BY last_ts DESC, root COLLATE "C" DESC LIMIT 1',
            repo,
            branch,
        )
        return (rows[0][0], rows[0][1]) if rows else (0, "")
