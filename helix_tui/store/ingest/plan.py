"""Decides what one transaction will write, reading the store but changing nothing."""

from __future__ import annotations

import sqlite3

import msgspec

from helix_tui.schema import EventRow, Frame, SessionPatch, UnitBatch, UsageClaim
from helix_tui.store.ingest.session_state import COLUMNS, RepoOf, SessionState
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.evicted import evicted_of
from helix_tui.store.packs.frames import event_tuples, without
from helix_tui.store.packs.packs import FramePlace, PackDamagedError, PackReader
from helix_tui.store.sql import chunks, marks

_SELECT_SESSION = f"SELECT {', '.join(COLUMNS)} FROM session"

# session, fingerprint, part, position, ts, kind, is_error, frame, slot
PendingRow = list[int | None]
PartName = tuple[str, str, str]
# Further than any position in a file: how far events of a rewritten part are moved back.
REWRITTEN = 1 << 45
_NO_PART = -1
_GONE = (_NO_PART, 0)


class RowKeys:
    """Hands out the integer keys of new sessions and parts; one writer, so no two are alike."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._next = {table: self._after_last(connection, table) for table in ("session", "part")}

    def take(self, table: str) -> int:
        """The next free key of a table."""
        key = self._next[table]
        self._next[table] = key + 1
        return key

    @staticmethod
    def _after_last(connection: sqlite3.Connection, table: str) -> int:
        row = connection.execute(f"SELECT coalesce(max(key), 0) + 1 FROM {table}").fetchone()
        return int(row[0])


class Sessions:
    """The sessions that a transaction touches, read from the store when first named."""

    def __init__(self, connection: sqlite3.Connection, keys: RowKeys) -> None:
        self._connection = connection
        self._keys = keys
        self._by_id: dict[str, SessionState] = {}
        self.by_key: dict[int, SessionState] = {}
        self.unsaved: set[int] = set()

    def of_patch(self, patch: SessionPatch) -> SessionState:
        """The session a patch adds to, begun where the store has none."""
        state = self._by_id.get(patch.id)
        if state is None:
            row = self._connection.execute(
                f"{_SELECT_SESSION} WHERE id = ?", (patch.id,)
            ).fetchone()
            if row is not None:
                return self._keep(SessionState(*row))
            state = self._keep(SessionState.begin(self._keys.take("session"), patch))
            self.unsaved.add(state.key)
        return state

    def with_key(self, key: int) -> SessionState:
        """A session by its key."""
        state = self.by_key.get(key)
        if state is None:
            row = self._connection.execute(f"{_SELECT_SESSION} WHERE key = ?", (key,)).fetchone()
            state = self._keep(SessionState(*row))
        return state

    def _keep(self, state: SessionState) -> SessionState:
        self._by_id[state.id] = self.by_key[state.key] = state
        return state


class Rereads(msgspec.Struct):
    """What a sweep remembers of parts that it reads again, over all its transactions."""

    shifted: set[tuple[int, int]] = set()
    placed: set[tuple[int, int]] = set()
    # Session and part of which a reader folded events that the session has from elsewhere.
    overlapped: set[tuple[int, int]] = set()


class TransactionPlan:
    """The rows, frames and claims of one transaction."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        keys: RowKeys,
        repo_of: RepoOf,
        forgotten: set[str],
        rereads: Rereads,
        layout: StoreLayout,
    ) -> None:
        self._rereads = rereads
        self._layout = layout
        self._packs: dict[int, PackReader] = {}
        self._connection = connection
        self._keys = keys
        self._repo_of = repo_of
        self._forgotten = forgotten
        self._paths: dict[int, str] = {}
        self.sessions = Sessions(connection, keys)
        self.part_keys: dict[PartName, int] = {}
        self.rows: dict[int, dict[int, PendingRow]] = {}
        self.frames: dict[int, list[tuple[Frame, list[PendingRow]]]] = {}
        self.shifted: list[tuple[int, int, int]] = []
        self.folds: dict[tuple[int, int], bytes] = {}
        self.texts: list[tuple[int, bytes]] = []
        self._evicted: dict[int, frozenset[int]] = {}
        self.moved: dict[tuple[int, int], tuple[int, int]] = {}
        self.claims: list[tuple[SessionState, list[UsageClaim], int]] = []
        self.began_earlier: list[SessionState] = []
        self.news: set[int] = set()

    def add(self, index: int, batch: UnitBatch) -> None:
        """Plans a batch; `index` is what `news` will call it."""
        part = self._part_key(batch)
        for patch in batch.patches:
            if patch.id not in self._forgotten and patch.parent not in self._forgotten:
                self._add_patch(index, patch, part, batch)

    def _part_key(self, batch: UnitBatch) -> int:
        name = batch.flavor, batch.unit, batch.part
        key = self.part_keys.get(name)
        if key is None:
            row = self._connection.execute(
                "SELECT key FROM part WHERE flavor = ? AND unit = ? AND name = ?", name
            ).fetchone()
            key = self._keys.take("part") if row is None else int(row[0])
            self.part_keys[name] = key
            self._paths[key] = batch.path
        return key

    def _add_patch(self, index: int, patch: SessionPatch, part: int, batch: UnitBatch) -> None:
        session = self.sessions.of_patch(patch)
        began = session.first_ts
        if session.merge_facts(patch, self._repo_of):
            self.news.add(index)
            if session.key not in self.sessions.unsaved and session.first_ts != began:
                self.began_earlier.append(session)
        if patch.usage:
            self.claims.append((session, patch.usage, index))
        frame = patch.frame
        if frame is None:
            return
        known = self._known_places(session, frame)
        better = self._better_placed(session, frame, known, part, batch)
        if known or batch.is_reread:
            self._rereads.overlapped.add((session.key, part))
        if known:
            frame = without(frame, known.keys() - self._take_over(session, frame, better, part))
        if frame.rows or better:
            self._keep_fold(session, part, patch)
        if not frame.rows:
            return
        self.news.add(index)
        session.count(frame.rows)
        key = session.key
        # The flag as a number: SQLite's module looks for an adapter of each value of another type
        # than its own, which would be a quarter of what an insert costs.
        rows: list[PendingRow] = [
            [key, fingerprint, part, position, ts, kind, +is_error, 0, slot]
            for slot, (fingerprint, position, ts, kind, is_error) in enumerate(frame.rows)
        ]
        pending = self.rows.setdefault(key, {})
        for (fingerprint, *_), row in zip(frame.rows, rows, strict=True):
            pending[fingerprint] = row
        self.frames.setdefault(session.key, []).append((frame, rows))

    def _keep_fold(self, session: SessionState, part: int, patch: SessionPatch) -> None:
        """Takes a part's fold and texts, if they cover the events that the session has of it.

        Else the session is folded again from what is stored.
        """
        is_true = bool(patch.fold) and (session.key, part) not in self._rereads.overlapped
        session.is_analyzed = session.is_analyzed and is_true
        self.folds[session.key, part] = patch.fold
        if patch.texts:
            self.texts.append((session.key, patch.texts))

    def _known_places(self, session: SessionState, frame: Frame) -> dict[int, tuple[int, int]]:
        """The part and position of those of the frame's events that the session already has."""
        pending = self.rows.get(session.key)
        is_new = session.key in self.sessions.unsaved
        known: dict[int, tuple[int, int]] = {}
        if pending is None:
            if is_new:
                return known  # as nearly all are when a store is filled
            pending = {}
        unknown: list[int] = []
        for fingerprint, *_ in frame.rows:
            row = pending.get(fingerprint)
            if row is None:
                unknown.append(fingerprint)
            else:
                known[fingerprint] = (row[2] or 0, row[3] or 0)
        if is_new:
            return known
        for some in chunks(unknown):
            found = self._connection.execute(
                "SELECT fingerprint, part, position FROM event "
                f"WHERE session = ? AND fingerprint IN ({marks(some)})",
                (session.key, *some),
            )
            for fingerprint, *place in found:
                known[fingerprint] = self.moved.get((session.key, fingerprint), tuple(place))
        if session.evicted_events:
            evicted = self._evicted_of(session)
            known.update((fingerprint, _GONE) for fingerprint in unknown if fingerprint in evicted)
        return known

    def _evicted_of(self, session: SessionState) -> frozenset[int]:
        found = self._evicted.get(session.key)
        if found is None:
            found = self._evicted[session.key] = evicted_of(self._connection, session.key)
        return found

    def _better_placed(
        self,
        session: SessionState,
        frame: Frame,
        known: dict[int, tuple[int, int]],
        part: int,
        batch: UnitBatch,
    ) -> set[int]:
        """Which known events this frame has at a better place than the one they stand at.

        That is the least (path, position), in any order of arrival. A part that is read again
        has its own events where it has them now; those that it no longer has keep their order,
        before all that it has.
        """
        if not known and not batch.is_reread:
            return set()
        placed = self._rereads.placed
        if batch.is_reread and (session.key, part) not in self._rereads.shifted:
            self._rereads.shifted.add((session.key, part))
            self.shifted.append((REWRITTEN, session.key, part))
        better: set[int] = set()
        for fingerprint, position, *_ in frame.rows:
            event = session.key, fingerprint
            other, other_position = known.get(fingerprint, (part, position))
            if batch.is_reread and other == part:
                if event not in placed:
                    placed.add(event)
                    better.add(fingerprint)
            elif other == _NO_PART:
                continue  # evicted: known, and nowhere to be moved
            elif (batch.path, position) < (self._path_of(other), other_position):
                better.add(fingerprint)
        return better & known.keys()

    def _take_over(
        self, session: SessionState, frame: Frame, better: set[int], part: int
    ) -> set[int]:
        """Moves events to their better place; returns those that say something else there."""
        replaced: set[int] = set()
        pending = self.rows.get(session.key, {})
        for event in event_tuples(frame) if better else ():
            fingerprint, position = event[:2]
            if fingerprint not in better:
                continue
            stands = self._standing(session, fingerprint)
            if stands is None or stands[2:] != event[2:]:
                replaced.add(fingerprint)
                self.moved.pop((session.key, fingerprint), None)
                session.count([self._standing_row(session, fingerprint)], -1)
            elif fingerprint in pending:
                pending[fingerprint][2:4] = [part, position]
            else:
                self.moved[session.key, fingerprint] = (part, position)
        return replaced

    def _standing(self, session: SessionState, fingerprint: int) -> tuple[object, ...] | None:
        """A known event as it stands; None if its pack no longer gives it."""
        row = self.rows.get(session.key, {}).get(fingerprint)
        if row is not None:
            for frame, rows in self.frames[session.key]:
                if any(other is row for other in rows):
                    return event_tuples(frame)[row[8] or 0]
        offset, slot, length = self._connection.execute(
            "SELECT e.frame, e.slot, f.length FROM event e JOIN frame f ON f.session = e.session "
            'AND f."offset" = e.frame WHERE e.session = ? AND e.fingerprint = ?',
            (session.key, fingerprint),
        ).fetchone()
        reader = self._packs.get(session.key)
        if reader is None:
            reader = self._packs[session.key] = PackReader(self._layout.pack(session.key))
        try:
            event = reader.events(FramePlace(offset, length))[slot]
        except PackDamagedError:
            return None
        return msgspec.structs.astuple(event)

    def _standing_row(self, session: SessionState, fingerprint: int) -> EventRow:
        """What the database has, or will have, of a known event."""
        row = self.rows.get(session.key, {}).get(fingerprint)
        if row is not None:
            return fingerprint, row[3] or 0, row[4], row[5] or 0, bool(row[6])
        position, ts, kind, is_error = self._connection.execute(
            "SELECT position, ts, kind, is_error FROM event WHERE session = ? AND fingerprint = ?",
            (session.key, fingerprint),
        ).fetchone()
        return fingerprint, position, ts, kind, bool(is_error)

    def _path_of(self, part: int) -> str:
        path = self._paths.get(part)
        if path is None:
            row = self._connection.execute(
                "SELECT path FROM part WHERE key = ?", (part,)
            ).fetchone()
            path = self._paths[part] = str(row[0])
        return path
