"""A session's events in order: from its pack, and from agents' files."""

from __future__ import annotations

import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

import msgspec

from helix_tui.schema import TOOL_CALL, EventTuple, StoredEvent
from helix_tui.store.database import Database
from helix_tui.store.ingest.plan import REWRITTEN
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.packs import FramePlace, PackReader

# Sorts before every time.
_NO_TIME = -(1 << 62)


class Placed(NamedTuple):
    """Where an event is: in which file of the agent, and in which frame of the pack.

    An event that was read from the agent's file itself is in no frame; it is in `event`.
    """

    path: str
    position: int
    ts: int | None
    fingerprint: int
    part: int
    frame: int
    slot: int
    event: StoredEvent | None = None
    is_error: bool = False
    kind: int = -1


def session_key(database: Database, session_id: str) -> int:
    """The key of a session's row."""
    row = database.execute_sql("SELECT key FROM session WHERE id = ?", (session_id,)).fetchone()
    return int(row[0])


def stored_events(database: Database, key: int) -> list[Placed]:
    """The places of all events that are in the pack."""
    connection: sqlite3.Connection = database.connection()
    rows = connection.execute(
        "SELECT p.path, e.position, e.ts, e.fingerprint, e.part, e.frame, e.slot, "
        "NULL, e.is_error, e.kind "
        "FROM event e JOIN part p ON p.key = e.part WHERE e.session = ? "
        # Rows that are nearly in order are sorted in a fraction of the time.
        "ORDER BY p.path, e.position",
        (key,),
    )
    return [Placed(*row) for row in rows.fetchall()]


def stored_fingerprints(database: Database, key: int) -> Iterator[int]:
    """The fingerprints of all events that are in the pack, ascending."""
    connection: sqlite3.Connection = database.connection()
    rows = connection.execute(
        "SELECT fingerprint FROM event WHERE session = ? ORDER BY fingerprint", (key,)
    )
    return (fingerprint for (fingerprint,) in rows)


class Transcript:
    """A session's events as of one moment, whatever is evicted afterwards."""

    def __init__(self, database: Database, layout: StoreLayout, key: int) -> None:
        # Without a transaction the two queries could see an eviction between them.
        with database.atomic():
            self._stored = stored_events(database, key)
            self._bodies = _Bodies(database, layout, key)
        if self._stored:
            self._bodies.hold()

    @property
    def stored_count(self) -> int:
        """How many events the store has."""
        return len(self._stored)

    def places(self, found_elsewhere: Iterable[Placed] = ()) -> list[Placed]:
        """Where each event is, in the order they are shown; reads no pack."""
        return in_order([*self._stored, *found_elsewhere])

    def read(self, placed: Placed) -> StoredEvent:
        """One event, in any order."""
        return self._bodies.event(placed)

    def close(self) -> None:
        """Close the pack; nothing can be read any more."""
        self._bodies.close()

    def events(self, found_elsewhere: Iterable[Placed] = ()) -> Iterator[StoredEvent]:
        """Events in the order they are shown."""
        return self._bodies.events(self.places(found_elsewhere))


class TranscriptStream:
    """A session's stored events once through, in order, with a few bytes of memory for each.

    Like a transcript it is of one moment. Events of agents' files cannot be merged in.
    """

    def __init__(self, database: Database, layout: StoreLayout, key: int) -> None:
        with database.atomic():
            self._runs = _Runs(database, key)
            self._bodies = _Bodies(database, layout, key)
        if self.stored_count:
            self._bodies.hold()

    @property
    def stored_count(self) -> int:
        """How many events the store has."""
        return len(self._runs.slots)

    def events(self) -> Iterator[StoredEvent]:
        """Events in the order they are shown; a frame is dropped after its last one."""
        runs = self._runs
        remaining = Counter(runs.frames)
        for number in runs.in_order():
            offset = runs.frames[number]
            yield self._bodies.of_frame(offset)[runs.slots[number]]
            remaining[offset] -= 1
            if not remaining[offset]:
                self._bodies.drop(offset)

    def close(self) -> None:
        """Close the pack; nothing can be read any more."""
        self._bodies.close()


class _Runs:
    """Where events are, file by file: in columns, since a million of them must fit.

    Within a run times never decrease, so that merging the runs sorts all events.
    """

    def __init__(self, database: Database, key: int) -> None:
        self._latest, self.frames, self.slots = array("q"), array("q"), array("I")
        self._starts: list[int] = []
        run, latest = None, _NO_TIME
        for path, position, ts, frame, slot in _by_file(database, key):
            if run != (run := (path, position // REWRITTEN)):
                self._starts.append(len(self.slots))
                latest = _NO_TIME
            if ts is not None and ts > latest:
                latest = ts
            self._latest.append(latest)
            self.frames.append(frame)
            self.slots.append(slot)

    def in_order(self) -> Iterator[int]:
        """The numbers of events as they are shown: by time, then by file, then by position."""
        bounds = pairwise([*self._starts, len(self.slots)])
        runs = [range(start, end) for start, end in bounds]
        if len(runs) == 1:
            return iter(runs[0])
        # Of equal times the earlier run comes first, as runs are in the order of their files.
        return merge(*runs, key=self._latest.__getitem__)


def _by_file(database: Database, key: int) -> Iterator[tuple[int, int, int | None, int, int]]:
    """All events of a session by file and position; files by the rank of their paths."""
    connection: sqlite3.Connection = database.connection()
    query = (
        "WITH ranked AS MATERIALIZED (SELECT key, dense_rank() OVER (ORDER BY path) AS rank "
        "FROM part WHERE key IN (SELECT DISTINCT part FROM event WHERE session = :key)) "
        "SELECT r.rank, e.position, e.ts, e.frame, e.slot "
        "FROM event e JOIN ranked r ON r.key = e.part WHERE e.session = :key "
        "ORDER BY r.rank, e.position, e.fingerprint"
    )
    try:
        yield from connection.execute(query, {"key": key})
    except sqlite3.OperationalError:
        # Without a folder for temporary files the sort has to fit into memory.
        connection.execute("PRAGMA temp_store = memory")
        yield from connection.execute(query, {"key": key})


def with_tools(events: Iterable[StoredEvent]) -> Iterator[tuple[int, StoredEvent, str | None]]:
    """Events with their numbers and the tool that each belongs to."""
    tools: dict[str, str] = {}
    for seq, event in enumerate(events):
        if event.kind == TOOL_CALL and event.call_id and event.tool:
            tools[event.call_id] = event.tool
        yield seq, event, event.tool or tools.get(event.call_id or "")


def events_by_part(
    database: Database, layout: StoreLayout, key: int, found_elsewhere: Iterable[Placed] = ()
) -> Iterator[tuple[int, Iterator[EventTuple]]]:
    """A session's events, part by part, in each part's own order."""
    bodies = _Bodies(database, layout, key)
    events = [*stored_events(database, key), *found_elsewhere]
    events.sort(key=attrgetter("part"))
    for part, group in groupby(events, key=attrgetter("part")):
        yield part, map(msgspec.structs.astuple, bodies.events(in_order(list(group))))


class _Bodies:
    """Read events of one pack by frame and slot."""

    def __init__(self, database: Database, layout: StoreLayout, key: int) -> None:
        rows = database.execute_sql('SELECT "offset", length FROM frame WHERE session = ?', (key,))
        self._lengths: dict[int, int] = dict(rows.fetchall())
        self._reader = PackReader(layout.pack(key))

    def hold(self) -> None:
        """Keep the pack open; raise PackDamagedError before the first event is read."""
        self._reader.hold()
        self._reader.prove(FramePlace(*place) for place in self._lengths.items())

    def close(self) -> None:
        """Close the pack."""
        self._reader.close()

    def event(self, placed: Placed) -> StoredEvent:
        """One event, from its frame unless it was read elsewhere."""
        if placed.event is not None:
            return placed.event
        return self.of_frame(placed.frame)[placed.slot]

    def of_frame(self, offset: int) -> list[StoredEvent]:
        """All events of a frame."""
        return self._reader.events(FramePlace(offset, self._lengths[offset]))

    def drop(self, offset: int) -> None:
        """Drop a frame that is not needed again."""
        self._reader.drop(offset)

    def events(self, placed: Iterable[Placed]) -> Iterator[StoredEvent]:
        """Many events."""
        return map(self.event, placed)


def in_order(events: Sequence[Placed]) -> list[Placed]:
    """Sort by (time made monotonic within a part, part, position).

    Events that a rewritten part no longer has are a run of their own, placed by its times.
    """
    timed: list[tuple[int, str, int, Placed]] = []
    by_file = sorted(events, key=attrgetter("path", "position"))
    for (path, _), group in groupby(by_file, key=_run_of):
        latest = _NO_TIME
        for placed in group:
            latest = max(latest, placed.ts if placed.ts is not None else latest)
            timed.append((latest, path, placed.position, placed))
    timed.sort(key=lambda item: item[:3])
    return [placed for *_, placed in timed]


def _run_of(placed: Placed) -> tuple[str, int]:
    return placed.path, placed.position // REWRITTEN
