"""Take over events that are in packs that were set aside and not in the store."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec

from helix_tui.schema import Problem, StoredEvent
from helix_tui.store.database import Database
from helix_tui.store.durability import make_durable
from helix_tui.store.ingest.writer import StoreWriter
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.aside import drop_aside, files_aside
from helix_tui.store.packs.evicted import evicted_of
from helix_tui.store.packs.frames import decode_frame
from helix_tui.store.packs.packs import FramePlace, PackReader, SoundFrame, is_pack_of, read_wholly
from helix_tui.store.packs.unowned import pack_owner
from helix_tui.store.repair.rebuild import recovered_batch
from helix_tui.store.sql import chunks
from helix_tui.store.user_lists import forgotten_sessions

_UNREADABLE = (
    "was put aside because no row owns it, and part of it cannot be read: "
    "delete it when nothing is missed"
)
_DIFFERS = (
    "was put aside because no row owns it, and says of some events something else than the store: "
    "delete it when nothing is missed"
)
_WAITS = (
    "was put aside because no row owns it; the pack of its session is damaged: "
    "run `helix doctor --repair`"
)


class TakenOver(msgspec.Struct):
    """The result of taking over: how many events, and which files remain."""

    events: int = 0
    left: list[Problem] = []


def take_over(database: Database, layout: StoreLayout, writer: StoreWriter) -> TakenOver:
    """Add events that the store does not have; remove a file once all its events are durable.

    This runs after the logs are read, which say more about a session than its packs do.
    """
    result = TakenOver()
    finished: list[Path] = []
    forgotten = forgotten_sessions(layout)
    for path in files_aside(layout):
        header, frames, is_whole = read_wholly(path)
        if header is None:
            result.left.append(Problem(str(path), None, _UNREADABLE))
            continue
        if not forgotten.isdisjoint((header.id, header.parent)):
            finished.append(path)
            continue
        stored = _Stored(database, layout, header.id)
        if stored.is_damaged:
            result.left.append(Problem(str(path), None, _WAITS))
            continue
        events = _last_versions(frames)
        new = [event for event in events if event.fingerprint not in stored.known]
        for chunk in chunks(new):
            result.events += len(chunk)
            writer.add(recovered_batch(header, [*map(msgspec.structs.astuple, chunk)]))
        writer.flush()  # what it added is known to the next file
        if not is_whole:
            result.left.append(Problem(str(path), None, _UNREADABLE))
        elif not all(map(stored.has, events)):
            result.left.append(Problem(str(path), None, _DIFFERS))
        else:
            finished.append(path)
    writer.close()
    if finished:
        make_durable(database)
    drop_aside(layout, finished)
    return result


def _last_versions(frames: list[SoundFrame]) -> list[StoredEvent]:
    """Each event once: a rewritten event is in a later frame."""
    events = {
        event.fingerprint: event
        for frame in frames
        for event in decode_frame(frame.payload, frame.size)
    }
    return list(events.values())


class _Stored:
    """What the store has of a session before anything is taken over."""

    def __init__(self, database: Database, layout: StoreLayout, session_id: str) -> None:
        connection: sqlite3.Connection = database.connection()
        row = connection.execute("SELECT key FROM session WHERE id = ?", (session_id,)).fetchone()
        self._places: dict[int, tuple[int, int, int]] = {}
        self.known: set[int] = set()
        self.is_damaged = False
        if row is None:
            return
        owner = pack_owner(connection, row[0])
        self._pack = PackReader(layout.pack(owner.key))
        self.is_damaged = not is_pack_of(layout.pack(owner.key), owner)
        rows = connection.execute(
            "SELECT e.fingerprint, e.frame, f.length, e.slot FROM event e JOIN frame f "
            'ON f.session = e.session AND f."offset" = e.frame WHERE e.session = ?',
            (owner.key,),
        )
        self._places = {fingerprint: (frame, size, slot) for fingerprint, frame, size, slot in rows}
        self.known = {*self._places, *evicted_of(connection, owner.key)}

    def has(self, event: StoredEvent) -> bool:
        """Whether the stored event is the same; of an evicted one only its existence is known."""
        if event.fingerprint not in self._places:
            return True
        frame, length, slot = self._places[event.fingerprint]
        standing = self._pack.events(FramePlace(frame, length))[slot]
        return msgspec.structs.replace(event, position=standing.position) == standing
