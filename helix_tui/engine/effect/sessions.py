"""Conversations laid out so that many patterns can be counted over all of them.

A set of conversations is a whole number with a bit for each, in order of time: what several have in
common, or how many there are, is one operation.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from helix_tui.measure.weeks import monday_of
from helix_tui.schema.context import RecordedText, SessionPlace
from helix_tui.schema.effect import EffectFilter
from helix_tui.store.database import Database
from helix_tui.store.detection.triggers import triggers_by_session
from helix_tui.store.read.places import (
    agent_versions_by_session,
    models_by_session,
    recorded_texts,
    session_places,
    texts_by_hash,
)

_BITS = bytes.maketrans(b"01", b"\0\1")


class Conversation(NamedTuple):
    """A conversation: its first session, when it began and ended, the keys of all its sessions."""

    root: str
    at: int
    agent: str
    repo: str
    cwd: str
    keys: tuple[int, ...]
    last: int = 0


class Place(NamedTuple):
    """Who worked, and in which repository."""

    agent: str
    repo: str


class Sessions:
    """All conversations that count, in order of time, and what each of them did."""

    def __init__(self, database: Database, wanted: EffectFilter) -> None:
        self._connection = database.connection()
        self.all = _conversations(session_places(self._connection), wanted)
        self.number = {one.root: at for at, one in enumerate(self.all)}
        self._of_key = {key: at for at, one in enumerate(self.all) for key in one.keys}
        self.times = [one.at for one in self.all]
        self._before: dict[int, int] = {}

    @cached_property
    def triggers(self) -> list[set[str]]:
        """What each conversation did, in the order of `all`."""
        triggers: list[set[str]] = [set() for _ in self.all]
        for key, names in triggers_by_session(self._connection):
            at = self._of_key.get(key)
            if at is not None and names:
                triggers[at].update(names.split("\n"))
        return triggers

    @cached_property
    def _with_trigger(self) -> Mapping[str, int]:
        width = len(self.all) // 8 + 1
        made: dict[str, bytearray] = {}
        for at, names in enumerate(self.triggers):
            byte, bit = at >> 3, 1 << (at & 7)
            for name in names:
                bits = made.get(name)
                if bits is None:
                    bits = made[name] = bytearray(width)
                bits[byte] |= bit
        return {name: int.from_bytes(bits, "little") for name, bits in made.items()}

    @cached_property
    def places(self) -> dict[Place, int]:
        """The conversations of each agent in each repository."""
        indices: dict[Place, list[int]] = {}
        for at, one in enumerate(self.all):
            indices.setdefault(Place(one.agent, one.repo), []).append(at)
        return {place: set_of(numbers) for place, numbers in indices.items()}

    @cached_property
    def records(self) -> list[tuple[RecordedText, ...]]:
        """What the logs of each conversation record of instructions."""
        by_session = recorded_texts(self._connection)
        return [
            tuple(record for key in one.keys for record in by_session.get(key, ()))
            for one in self.all
        ]

    @cached_property
    def texts(self) -> dict[int, str]:
        """The recorded texts by hash."""
        hashes = {record.hash for records in self.records for record in records if record.hash}
        return texts_by_hash(self._connection, hashes)

    @cached_property
    def cells(self) -> dict[tuple[Place, tuple[tuple[int, str], ...]], int]:
        """The conversations that worked at the same place with the same records of instructions."""
        indices: dict[tuple[Place, tuple[tuple[int, str], ...]], list[int]] = {}
        for at, (one, records) in enumerate(zip(self.all, self.records, strict=True)):
            signature = tuple(dict.fromkeys((record.hash, record.source) for record in records))
            indices.setdefault((Place(one.agent, one.repo), signature), []).append(at)
        return {key: set_of(numbers) for key, numbers in indices.items()}

    @cached_property
    def weeks(self) -> dict[str, int]:
        """The conversations of each week."""
        indices: dict[str, list[int]] = {}
        for at, one in enumerate(self.all):
            indices.setdefault(monday_of(one.at), []).append(at)
        return {week: set_of(numbers) for week, numbers in indices.items()}

    @cached_property
    def models(self) -> dict[tuple[str, str], int]:
        """The conversations of each agent with each model."""
        return self._named_by(models_by_session(self._connection))

    @cached_property
    def agent_versions(self) -> dict[tuple[str, str], int]:
        """The conversations of each agent with each of its versions."""
        return self._named_by(agent_versions_by_session(self._connection))

    def _named_by(self, known: Mapping[int, str]) -> dict[tuple[str, str], int]:
        """The conversations of each agent by a name that their sessions have."""
        indices: dict[tuple[str, str], list[int]] = {}
        for at, one in enumerate(self.all):
            name = next((known[key] for key in one.keys if key in known), "")
            if name:
                indices.setdefault((one.agent, name), []).append(at)
        return {key: set_of(numbers) for key, numbers in indices.items()}

    def before(self, at: int) -> int:
        """The conversations that began before a time."""
        if at not in self._before:
            self._before[at] = (1 << bisect_left(self.times, at)) - 1
        return self._before[at]

    def outcomes(self, numbers: int, did: int) -> list[int]:
        """Of each of some conversations whether it is among others, in order of time."""
        return list(compress(self._bits(did), self._bits(numbers)))

    def times_of(self, numbers: int) -> list[int]:
        """When some conversations began."""
        return list(compress(self.times, self._bits(numbers)))

    def _bits(self, numbers: int) -> bytes:
        return f"{numbers:0{len(self.all)}b}"[::-1].encode().translate(_BITS)

    def with_any(self, names: Iterable[str]) -> int:
        """The conversations that have any of these triggers."""
        sessions = 0
        for name in names:
            sessions |= self._with_trigger.get(name, 0)
        return sessions

    def named(self, roots: Iterable[str]) -> int:
        """The conversations of these ids."""
        return set_of(self.number[root] for root in roots if root in self.number)

    def of_sessions(self, names: Collection[str]) -> int:
        """The conversations of these sessions, whichever of a conversation's they are."""
        if not names:
            return 0
        return set_of(at for name in names if (at := self.number_of(name)) is not None)

    @cached_property
    def _of_id(self) -> dict[str, int]:
        return {
            one.id: self._of_key[one.key]
            for one in session_places(self._connection)
            if one.key in self._of_key
        }

    def number_of(self, session: str) -> int | None:
        """The conversation of a session, whichever of its sessions it is."""
        return self._of_id.get(session)

    def at_places(self, repos: Collection[str] | None, agents: Collection[str] | None) -> int:
        """The conversations in these repositories, of these agents; None for all."""
        sessions = 0
        for place, numbers in self.places.items():
            is_there = repos is None or place.repo in repos
            if is_there and (agents is None or place.agent in agents):
                sessions |= numbers
        return sessions


def set_of(numbers: Iterable[int]) -> int:
    """Some conversations as a set."""
    bits = bytearray()
    for at in numbers:
        byte = at >> 3
        if byte >= len(bits):
            bits.extend(bytes(byte + 1 - len(bits)))
        bits[byte] |= 1 << (at & 7)
    return int.from_bytes(bits, "little")


def members(numbers: int) -> Iterator[int]:
    """The conversations of a set in order of time."""
    bits = bin(numbers)[:1:-1]
    at = bits.find("1")
    while at >= 0:
        yield at
        at = bits.find("1", at + 1)


def earliest(numbers: int, most: int) -> int:
    """The first few conversations of a set."""
    chosen = 0
    for _ in range(most):
        lowest = numbers & -numbers
        chosen |= lowest
        numbers ^= lowest
    return chosen


def latest(numbers: int, most: int) -> int:
    """The last few conversations of a set."""
    chosen = 0
    for _ in range(most):
        highest = 1 << numbers.bit_length() >> 1
        chosen |= highest
        numbers ^= highest
    return chosen


def _conversations(places: Iterable[SessionPlace], wanted: EffectFilter) -> list[Conversation]:
    by_root: dict[str, list[SessionPlace]] = {}
    for one in places:
        by_root.setdefault(one.root, []).append(one)
    conversations = []
    for root, some in by_root.items():
        first = next((one for one in some if one.id == root), some[0])
        at = min((one.first_ts for one in some if one.first_ts), default=0)
        if (
            at
            and wanted.repo in (None, first.repo)
            and (wanted.repos is None or first.repo in wanted.repos)
            and wanted.agent in (None, first.flavor)
            and (wanted.since_ts is None or at >= wanted.since_ts)
        ):
            keys = tuple(one.key for one in some)
            last = max(one.last_ts for one in some)
            conversations.append(
                Conversation(root, at, first.flavor, first.repo, first.cwd, keys, last)
            )
    return sorted(conversations, key=lambda one: (one.at, one.root))
