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


def session_key(database: Database, session_id: str) -> int:
    """The key under which a session's rows stand."""
    row = database.execute_sql("SELECT key FROM session WHERE id = ?", (session_id,)).fetchone()
    return int(row[0])


def stored_events(database: Database, key: int) -> list[Placed]:
    """The places of all events whose bodies are in the pack."""
    connection: sqlite3.Connection = database.connection()
    rows = connection.execute(
        "SELECT p.path, e.position, e.ts, e.fingerprint, e.part, e.frame, e.slot "
        "FROM event e JOIN part p ON p.key = e.part WHERE e.session = ?",
        (key,),
    )
    return [Placed(*row) for row in rows.fetchall()]


def transcript(
    database: Database, layout: StoreLayout, key: int, found_elsewhere: Iterable[Placed] = ()
) -> Iterator[tuple[int, StoredEvent, str | None]]:
    """Events in the order they are shown, with the tool that each belongs to."""
    stored = stored_events(database, key)
    bodies = _Bodies(database, layout, key)
    if stored:
        bodies.prove()
    tools: dict[str, str] = {}
    for seq, placed in enumerate(_in_order([*stored, *found_elsewhere])):
        event = placed.event or bodies.event(placed.frame, placed.slot)
        if event.kind == TOOL_CALL and event.call_id and event.tool:
            tools[event.call_id] = event.tool
        yield seq, event, event.tool or tools.get(event.call_id or "")


def events_by_part(
    database: Database, layout: StoreLayout, key: int
) -> Iterator[tuple[int, Iterator[EventTuple]]]:
    """A session's stored events, part by part, as each part has them."""
    bodies = _Bodies(database, layout, key)
    stored = sorted(stored_events(database, key), key=attrgetter("part", "position"))
    for part, group in groupby(stored, key=attrgetter("part")):
        yield part, map(msgspec.structs.astuple, bodies.events(group))


class _Bodies:
    """Reads events of one pack by frame and slot."""

    def __init__(self, database: Database, layout: StoreLayout, key: int) -> None:
        rows = database.execute_sql('SELECT "offset", length FROM frame WHERE session = ?', (key,))
        self._lengths: dict[int, int] = dict(rows.fetchall())
        self._reader = PackReader(layout.pack(key))

    def prove(self) -> None:
        """Raises PackDamagedError before the first event is given out."""
        self._reader.prove(FramePlace(*place) for place in self._lengths.items())

    def event(self, frame: int, slot: int) -> StoredEvent:
        """One event."""
        return self._reader.events(FramePlace(frame, self._lengths[frame]))[slot]

    def events(self, placed: Iterable[Placed]) -> Iterator[StoredEvent]:
        """Many events."""
        return (self.event(place.frame, place.slot) for place in placed)


def _in_order(events: Sequence[Placed]) -> list[Placed]:
    """By (time made monotonic within a part, part, position)."""
    timed: list[tuple[int, str, int, Placed]] = []
    by_file = sorted(events, key=attrgetter("path", "position"))
    for path, group in groupby(by_file, key=attrgetter("path")):
        latest = -(1 << 62)
        for placed in group:
            latest = max(latest, placed.ts if placed.ts is not None else latest)
            timed.append((latest, path, placed.position, placed))
    timed.sort(key=lambda item: item[:3])
    return [placed for *_, placed in timed]
