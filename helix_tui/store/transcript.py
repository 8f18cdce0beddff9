"""A session's events in order: from its pack, and from wherever else they were found."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import msgspec

from helix_tui.schema import TOOL_CALL, EventTuple, StoredEvent
from helix_tui.store.database import Database
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs import FramePlace, PackReader
from helix_tui.store.plan import REWRITTEN


class Placed(NamedTuple):
    """Where an event stands: in which file of the agent, and in which frame of the pack.

    An event that was read from the agent's file itself is in no frame; it comes along.
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


def session_key(database: Database, session_id: str) -> int:
    """The key under which a session's rows stand."""
    row = database.execute_sql("SELECT key FROM session WHERE id = ?", (session_id,)).fetchone()
    return int(row[0])


def stored_events(database: Database, key: int) -> list[Placed]:
    """The places of all events whose bodies are in the pack."""
    connection: sqlite3.Connection = database.connection()
    rows = connection.execute(
        "SELECT p.path, e.position, e.ts, e.fingerprint, e.part, e.frame, e.slot, "
        "NULL, e.is_error "
        "FROM event e JOIN part p ON p.key = e.part WHERE e.session = ? "
        # What is in order already is put in order in a fraction of the time.
        "ORDER BY p.path, e.position",
        (key,),
    )
    return [Placed(*row) for row in rows.fetchall()]


class Transcript:
    """A session's events as they were at one moment, whatever is evicted afterwards."""

    def __init__(self, database: Database, layout: StoreLayout, key: int) -> None:
        # One statement after another could see rows of before and of after an eviction.
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
        """Where each event stands, in the order they are shown; nothing is read for that."""
        return in_order([*self._stored, *found_elsewhere])

    def read(self, placed: Placed) -> StoredEvent:
        """One event, whichever was read before."""
        return self._bodies.event(placed)

    def close(self) -> None:
        """Lets the pack go; nothing can be read any more."""
        self._bodies.close()

    def events(
        self, found_elsewhere: Iterable[Placed] = ()
    ) -> Iterator[tuple[int, StoredEvent, str | None]]:
        """Events in the order they are shown, with the tool that each belongs to."""
        tools: dict[str, str] = {}
        try:
            for seq, placed in enumerate(in_order([*self._stored, *found_elsewhere])):
                event = self._bodies.event(placed)
                if event.kind == TOOL_CALL and event.call_id and event.tool:
                    tools[event.call_id] = event.tool
                yield seq, event, event.tool or tools.get(event.call_id or "")
        finally:
            self._bodies.close()


def events_by_part(
    database: Database, layout: StoreLayout, key: int, found_elsewhere: Iterable[Placed] = ()
) -> Iterator[tuple[int, Iterator[EventTuple]]]:
    """A session's events, part by part, as each part has them."""
    bodies = _Bodies(database, layout, key)
    events = [*stored_events(database, key), *found_elsewhere]
    events.sort(key=attrgetter("part"))
    for part, group in groupby(events, key=attrgetter("part")):
        yield part, map(msgspec.structs.astuple, bodies.events(in_order(list(group))))


class _Bodies:
    """Reads events of one pack by frame and slot."""

    def __init__(self, database: Database, layout: StoreLayout, key: int) -> None:
        rows = database.execute_sql('SELECT "offset", length FROM frame WHERE session = ?', (key,))
        self._lengths: dict[int, int] = dict(rows.fetchall())
        self._reader = PackReader(layout.pack(key))

    def hold(self) -> None:
        """Keeps the pack open; raises PackDamagedError before the first event is given out."""
        self._reader.hold()
        self._reader.prove(FramePlace(*place) for place in self._lengths.items())

    def close(self) -> None:
        """Lets the pack go."""
        self._reader.close()

    def event(self, placed: Placed) -> StoredEvent:
        """One event, from its frame unless it came along."""
        if placed.event is not None:
            return placed.event
        place = FramePlace(placed.frame, self._lengths[placed.frame])
        return self._reader.events(place)[placed.slot]

    def events(self, placed: Iterable[Placed]) -> Iterator[StoredEvent]:
        """Many events."""
        return map(self.event, placed)


def in_order(events: Sequence[Placed]) -> list[Placed]:
    """By (time made monotonic within a part, part, position).

    What a rewritten part no longer has is a run of its own: it stands where its times put it.
    """
    timed: list[tuple[int, str, int, Placed]] = []
    by_file = sorted(events, key=attrgetter("path", "position"))
    for (path, _), group in groupby(by_file, key=_run_of):
        latest = -(1 << 62)
        for placed in group:
            latest = max(latest, placed.ts if placed.ts is not None else latest)
            timed.append((latest, path, placed.position, placed))
    timed.sort(key=lambda item: item[:3])
    return [placed for *_, placed in timed]


def _run_of(placed: Placed) -> tuple[str, int]:
    return placed.path, placed.position // REWRITTEN
