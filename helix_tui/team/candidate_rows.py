"""Candidates of a team as grouping reads and writes them; only what differs is written."""

# ruff: noqa: D102 - what each of them does is said in helix_tui/detect/rows.py

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from helix_tui.schema.candidate import Brief, Candidate, Citing
from helix_tui.schema.recall import SeenRow
from helix_tui.schema.team import MOST_MEMBERS, origins_of
from helix_tui.store.detection.candidates import pack_brief, pack_candidate, unpack_citing
from helix_tui.team.grouping_transaction import GroupingTransaction, in_runs
from helix_tui.text.hashing import hash64

_encode = msgspec.msgpack.Encoder().encode
_MOST_TEXT = 2_048


class CandidateRows(GroupingTransaction):
    """The candidates of a team, inside of a transaction."""

    _last_seals: dict[tuple[str, int], int]

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
        # Of very many conversations figures change where what they say does not.
        differing = [
            place
            for place, seal in seals.items()
            if new[place][0].drawn or self._last_seals.get(place) != seal
        ]
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
            for some in in_runs(sorted(names))
            for (name,) in self._all(
                "SELECT id FROM helix.candidate WHERE id = ANY(%s) AND data IS NOT NULL", some
            )
        }

    def citing(self, data: bytes) -> Citing:
        return unpack_citing(data)

    def citing_in(self, buckets: Sequence[int]) -> Iterator[Citing]:
        for some in in_runs(buckets):
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

    def _row(
        self, place: tuple[str, int, int], one: Candidate, brief: Brief | None, data: bytes
    ) -> tuple[object, ...]:
        """A candidate as it is stored, with what its evidence says where that is shared."""
        if brief is not None and not brief.origins:
            brief = msgspec.structs.replace(brief, origins=origins_of(one))
        texts = [
            self._said_in(place[1], cited.session, cited.fingerprint) for cited in one.evidence
        ]
        shared = _encode([text[:_MOST_TEXT] for text in texts]) if any(texts) else None
        packed = pack_brief(brief) if brief is not None else None
        sessions = brief.sessions if brief is not None else len(one.members)
        return (*place, sessions, packed, data, shared, self._number)

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

    These are those that were drawn to say what it is; where all were read, those that are cited,
    and the latest. Its figures, in its brief, are of all.
    """
    members = candidate.members
    if candidate.drawn:
        return msgspec.structs.replace(candidate, members=candidate.read)
    if len(members) <= MOST_MEMBERS:
        return candidate
    cited = {one.session for one in candidate.evidence}
    latest = sorted(
        members, key=lambda name: (name not in cited, -(members[name].last_ts or 0), name)
    )
    kept = {name: members[name] for name in sorted(latest[:MOST_MEMBERS])}
    return msgspec.structs.replace(candidate, members=kept)
