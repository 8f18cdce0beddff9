"""Rebuild a store beside its damaged files, from what packs and rows still hold."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import msgspec

from helix_tui.files.durable import FILE_MODE, FOLDER_MODE, sync_folder
from helix_tui.schema import Cursor, Dated, EventTuple, SessionPatch, UnitBatch
from helix_tui.store.database import Database
from helix_tui.store.detection.signals import forget_signals
from helix_tui.store.digests.folds import write_folds
from helix_tui.store.digests.search_index import add_texts, drop_texts
from helix_tui.store.digests.texts import are_sound
from helix_tui.store.ingest.session_state import COLUMNS, SessionState
from helix_tui.store.ingest.writer import save_sessions
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.evicted import remember_evicted
from helix_tui.store.packs.frames import decode_frame, encode_frame
from helix_tui.store.packs.packs import PackHeader, SoundFrame, pack_files, read_pack
from helix_tui.store.repair.salvage import EventPlace, SalvagedPart, SalvagedSession, SalvagedStore

_UNFINISHED = "unfinished"
_MOVED = "moved"
# No file of an agent has such a path, and every absolute path sorts before it.
_RECOVERED = "~recovered"


def set_aside(layout: StoreLayout) -> Path:
    """Move packs and database out of the way, once; drop what an interrupted repair made.

    So every repair starts over from the same files, whatever state its own were left in.
    """
    aside = layout.unfinished_repair()
    if aside is None:
        aside = _new_folder(layout.root)
        # Marked first: from here on nobody but a repair may use the store.
        _mark(aside / _UNFINISHED)
        sync_folder(layout.root)
    if not (aside / _MOVED).exists():
        # Packs first: with the database gone, packs in their place would be taken for leftovers.
        for path in (layout.packs, layout.aside, *_database_files(layout)):
            if path.exists() and not (aside / path.name).exists():
                path.rename(aside / path.name)
        sync_folder(layout.root)
        _mark(aside / _MOVED)
    for folder in (layout.packs, layout.aside):
        if folder.exists():
            shutil.rmtree(folder)
    for path in _database_files(layout):
        path.unlink()
    return aside


def _database_files(layout: StoreLayout) -> list[Path]:
    """The database with its journal or log, itself the last."""
    return sorted(layout.root.glob(f"{layout.database.name}*"), reverse=True)


def _mark(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, FILE_MODE))
    sync_folder(path.parent)


def _moment() -> str:
    return time.strftime("%Y%m%d-%H%M%S", time.gmtime())


def _new_folder(root: Path) -> Path:
    """A new folder, or an empty one that was made and never used."""
    name = f"damaged-{_moment()}"
    for folder in root.glob("damaged-*"):
        if not any(folder.iterdir()):
            return folder
    for number in count():
        folder = root / (f"{name}-{number}" if number else name)
        if not folder.exists():
            folder.mkdir(mode=FOLDER_MODE)
            return folder
    raise AssertionError("unreachable: some number is free")


def mark_repaired(aside: Path) -> None:
    """Record that everything that could be taken over was."""
    (aside / _UNFINISHED).unlink()
    (aside / _MOVED).unlink(missing_ok=True)


def pack_batches(aside: Path, salvaged: SalvagedStore) -> Iterator[UnitBatch]:
    """What every pack that was set aside still holds, as batches for the writer."""
    unowned = (aside / "aside").glob("*.pack")
    for path in (*sorted(pack_files(aside / "packs")), *sorted(unowned)):
        header, frames, places = _read_pack(path, salvaged)
        if header is not None:
            # Last frame first: a rewritten event is in a later frame, and the first one wins.
            for frame in reversed(frames):
                yield from _frame_batches(header, frame, places, salvaged)


def _read_pack(
    path: Path, salvaged: SalvagedStore
) -> tuple[PackHeader | None, list[SoundFrame], dict[int, EventPlace]]:
    """A pack with what rows still say about it, unless they describe another one of that name."""
    header, frames = read_pack(path)
    key = int(path.stem) if path.stem.isdecimal() else -1
    owner = salvaged.by_key.get(key)
    row_header = _header_of(owner.state) if owner else None
    rows = salvaged.frames_of(key)
    if header is not None and row_header is not None and header.id != row_header.id:
        checksums = {row.checksum for row in rows}
        if checksums.isdisjoint(frame.checksum for frame in frames):
            return header, frames, {}
    return *read_pack(path, row_header, rows), salvaged.events_of(key)


def _frame_batches(
    header: PackHeader, frame: SoundFrame, places: dict[int, EventPlace], salvaged: SalvagedStore
) -> Iterator[UnitBatch]:
    """A frame's events by the part that had them, without older versions of an event."""
    by_part: dict[int, list[EventTuple]] = {}
    for slot, event in enumerate(decode_frame(frame.payload, frame.size)):
        place = places.get(event.fingerprint, EventPlace(-1, event.position, frame.offset, slot))
        if (place.frame, place.slot) == (frame.offset, slot):
            moved = msgspec.structs.replace(event, position=place.position)
            by_part.setdefault(place.part, []).append(msgspec.structs.astuple(moved))
    for part, events in by_part.items():
        yield _batch(header, _patch(header, events), salvaged.parts.get(part))


def recovered_batch(header: PackHeader, events: list[EventTuple]) -> UnitBatch:
    """A batch of events whose part is no longer known."""
    return _batch(header, _patch(header, events))


def _patch(header: PackHeader, events: list[EventTuple]) -> SessionPatch:
    times = [event[2] for event in events if event[2] is not None]
    return SessionPatch(
        header.id,
        header.flavor,
        header.native_id,
        header.parent,
        min(times, default=None),
        max(times, default=None),
        None,
        None,
        None,
        encode_frame(events),
        [],
        b"",
    )


def _header_of(state: SessionState) -> PackHeader:
    return PackHeader(state.id, state.flavor, state.native_id, state.parent)


def fact_batches(salvaged: SalvagedStore) -> Iterator[UnitBatch]:
    """What rows say about sessions beyond their events: places, times, models and tokens."""
    for session in salvaged.sessions.values():
        state = session.state
        yield _batch(
            _header_of(state),
            SessionPatch(
                state.id,
                state.flavor,
                state.native_id,
                state.parent,
                state.first_ts,
                state.last_ts,
                _dated(state.cwd_ts, state.cwd),
                _dated(state.branch_ts, state.branch),
                _dated(state.model_ts, state.model),
                None,
                session.usage,
                b"",
                instructions=session.instructions,
                agent_version=_dated(state.agent_version_ts, state.agent_version),
            ),
        )


def _dated(ts: int | None, value: str | None) -> Dated | None:
    return None if ts is None or value is None else Dated(ts, value)


def _batch(header: PackHeader, patch: SessionPatch, part: SalvagedPart | None = None) -> UnitBatch:
    """A batch under the name of its part; under a made-up one if that file can still be read."""
    if part is None or Path(part.path).exists():
        name = f"{_RECOVERED}/{header.id}"
        part = SalvagedPart(header.flavor, name, "log", name)
    cursor = Cursor(None, 0, 0, 0, 0)
    size = len(patch.frame.payload) if patch.frame else 0
    return UnitBatch(
        part.flavor,
        part.unit,
        part.name,
        part.path,
        cursor,
        False,
        True,
        size,
        b"",
        [],
        [patch],
        part.is_document,
    )


def recovered_sessions(database: Database) -> set[str]:
    """The sessions of which only packs were left."""
    rows = database.execute_sql(
        "SELECT s.id FROM session s JOIN fold f ON f.session = s.key "
        "JOIN part p ON p.key = f.part GROUP BY s.key HAVING min(p.unit >= ? AND p.unit < ?)",
        (f"{_RECOVERED}/", f"{_RECOVERED}0"),
    )
    return {name for (name,) in rows.fetchall()}


def sessions_with_fewer_tokens(database: Database, salvaged: SalvagedStore) -> list[str]:
    """The sessions whose messages could not all be read: their totals are less than before."""
    rows = database.execute_sql(
        "SELECT id, input + output + cache_read + cache_write FROM session"
    ).fetchall()
    totals = dict(rows)
    return sorted(
        name
        for name, session in salvaged.sessions.items()
        if totals.get(name, 0) < _all_tokens(session.state)
    )


def _all_tokens(state: SessionState) -> int:
    return state.input + state.output + state.cache_read + state.cache_write


def adopt_evicted(
    database: Database, salvaged: SalvagedStore, is_sound: Callable[[bytes], bool]
) -> dict[str, int]:
    """Restore what is known of events that are neither in logs nor in packs, with the digests.

    Return, by session, how many of them had raw bytes in the damaged store: those are lost.
    """
    connection: sqlite3.Connection = database.connection()
    lost: dict[str, int] = {}
    for session in salvaged.sessions.values():
        with database.atomic("IMMEDIATE"):
            row = connection.execute(
                f"SELECT {', '.join(COLUMNS)} FROM session WHERE id = ?", (session.state.id,)
            ).fetchone()
            if row is None:
                continue  # forgotten
            state = SessionState(*row)
            present = {
                fingerprint
                for (fingerprint,) in connection.execute(
                    "SELECT fingerprint FROM event WHERE session = ?", (state.key,)
                )
            }
            stored = salvaged.events_of(session.state.key).keys()
            fingerprints = stored | session.evicted
            if fingerprints - present or session.state.events > len(fingerprints | present):
                _adopt(connection, state, session, salvaged, fingerprints, present, is_sound)
            missing = len(stored - session.evicted - present)
            if missing:
                lost[state.id] = missing
    return lost


def _adopt(
    connection: sqlite3.Connection,
    state: SessionState,
    session: SalvagedSession,
    salvaged: SalvagedStore,
    fingerprints: set[int],
    present: set[int],
    is_sound: Callable[[bytes], bool],
) -> None:
    """Restore a session's counts, evicted events, folds and verdict."""
    old = session.state
    are_all_known = old.events <= len(fingerprints)
    added = connection.execute(
        "SELECT fingerprint, position, ts, kind, is_error FROM event WHERE session = ?",
        (state.key,),
    ).fetchall()
    for name in ("turns", "prompts", "tool_calls", "tool_errors", "compactions"):
        setattr(state, name, getattr(old, name))
    state.count([row for row in added if row[0] not in fingerprints])
    parts = {_part_key(connection, salvaged, part, state.flavor) for part in session.folds}
    state.evicted_events = remember_evicted(connection, state.key, fingerprints - present, parts)
    # Events that were evicted and whose fingerprints are lost cannot be counted as known.
    state.events = len(fingerprints | present)
    is_grown = are_all_known and bool(present - fingerprints)
    folds = {
        _part_key(connection, salvaged, part, state.flavor): data
        for part, data in session.folds.items()
        if is_sound(data)
    }
    connection.execute("DELETE FROM fold WHERE session = ?", (state.key,))
    write_folds(connection, {(state.key, part): data for part, data in folds.items()})
    drop_texts(connection, state.key)
    add_texts(connection, [(state.key, data) for data in session.texts if are_sound(data)])
    state.is_analyzed = old.is_analyzed and bool(folds) and not is_grown
    if folds:
        state.ended, state.outcome = old.ended, old.outcome
        state.outcome_confidence, state.outcome_reason = old.outcome_confidence, old.outcome_reason
        state.is_exact = old.is_exact and are_all_known and len(folds) == len(session.folds)
    save_sessions(connection, [state])
    # Signals are made of folds, and the next grouping finds that there are none yet.
    forget_signals(connection)


def _part_key(
    connection: sqlite3.Connection, salvaged: SalvagedStore, old_key: int, flavor: str
) -> int:
    """The key of a part in the new store, added there if its file is gone."""
    part = salvaged.parts.get(old_key)
    if part is None:
        nameless = f"{_RECOVERED}/part {old_key}"
        part = SalvagedPart(flavor, nameless, "log", nameless)
    name = part.flavor, part.unit, part.name
    row = connection.execute(
        "SELECT key FROM part WHERE flavor = ? AND unit = ? AND name = ?", name
    ).fetchone()
    if row is not None:
        return int(row[0])
    cursor = connection.execute(
        "INSERT INTO part (flavor, unit, name, path, device, inode, size, mtime_ns, "
        '"offset", head_length, head_hash, tail_hash, is_document) '
        "VALUES (?, ?, ?, ?, 0, 0, -1, 0, 0, 0, 0, 0, ?)",
        (*name, part.path, part.is_document),
    )
    return int(cursor.lastrowid or 0)
