"""Decide what one transaction will write, reading the store but changing nothing."""

from __future__ import annotations

import sqlite3

import msgspec

from helix_tui.schema import EventRow, Frame, Instructed, SessionPatch, UnitBatch, UsageClaim
from helix_tui.store.ingest.session_state import COLUMNS, RepoOf, SessionState
from helix_tui.store.ingest.vanished import Standing
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.evicted import evicted_of
from helix_tui.store.packs.frames import event_tuples, without
from helix_tui.store.packs.packs import FramePlace, PackDamagedError, PackReader
from helix_tui.store.sql import chunks, marks

_SELECT_SESSION = f"SELECT {', '.join(COLUMNS)} FROM session"

# session, fingerprint, part, position, ts, kind, is_error, frame, slot
PendingRow = list[int | None]
PartName = tuple[str, str, str]
# More than any position in a file: events of a rewritten part are moved back by this much.
REWRITTEN = 1 << 45
# How parts are called that are rows of a database (`helix_tui/capture/discover.py`).
_ROWS = "rows:"
_NO_PART = -1
_GONE = (_NO_PART, 0)


class RowKeys:
    """Hand out the integer keys of new sessions and parts; with one writer no two are equal."""

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
    """The sessions that a transaction touches, each read from the store when first needed."""

    def __init__(self, connection: sqlite3.Connection, keys: RowKeys) -> None:
        self._connection = connection
        self._keys = keys
        self._by_id: dict[str, SessionState] = {}
        self.by_key: dict[int, SessionState] = {}
        self.unsaved: set[int] = set()

    def of_patch(self, patch: SessionPatch) -> SessionState:
        """The session a patch adds to; a new one where the store has none."""
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
    """What a sweep remembers, over all its transactions, of parts that it reads again."""

    shifted: set[tuple[int, int]] = set()
    placed: set[tuple[int, int]] = set()
    # What a database still says of its sessions, by part.
    standing: dict[int, dict[int, Standing]] = {}
    # Sessions and parts whose fold covers events that the session also has from elsewhere.
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
        self.instructions: list[tuple[int, Instructed]] = []
        # Parts of databases of which all rows were read again.
        self.reread_databases: list[int] = []

    def add(self, index: int, batch: UnitBatch) -> None:
        """Plan a batch; `index` identifies it in `news`."""
        part = self._part_key(batch)
        for patch in batch.patches:
            if patch.id not in self._forgotten and patch.parent not in self._forgotten:
                self._add_patch(index, patch, part, batch)
        if batch.part.startswith(_ROWS) and batch.is_reread and batch.cursor and batch.cursor.stamp:
            self.reread_databases.append(part)

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
        self.instructions += [(session.key, given) for given in patch.instructions]
        if batch.is_reread and batch.part.startswith(_ROWS):
            sessions = self._rereads.standing.setdefault(part, {})
            sessions.setdefault(session.key, Standing()).take(patch)
        if patch.usage:
            self.claims.append((session, patch.usage, index))
        frame = patch.frame
        if frame is None:
            return
        places = self._known_places(session, frame)
        better = self._better_placed(session, frame, places, part, batch)
        if places or batch.is_reread:
            self._rereads.overlapped.add((session.key, part))
        if places:
            frame = without(frame, places.keys() - self._take_over(session, frame, better, part))
        if frame.rows or better:
            self._keep_fold(session, part, patch)
        if not frame.rows:
            return
        self.news.add(index)
        session.count(frame.rows)
        key = session.key
        # The flag as a number: for a value of a type that is not SQLite's own the sqlite3 module
        # looks up an adapter, which would be a quarter of the cost of an insert.
        rows: list[PendingRow] = [
            [key, fingerprint, part, position, ts, kind, +is_error, 0, slot]
            for slot, (fingerprint, position, ts, kind, is_error) in enumerate(frame.rows)
        ]
        pending = self.rows.setdefault(key, {})
        for (fingerprint, *_), row in zip(frame.rows, rows, strict=True):
            pending[fingerprint] = row
        self.frames.setdefault(session.key, []).append((frame, rows))

    def _keep_fold(self, session: SessionState, part: int, patch: SessionPatch) -> None:
        """Take a part's fold and texts, if they cover exactly the session's events of that part.

        Otherwise the session is folded again from what is stored.
        """
        is_true = bool(patch.fold) and (session.key, part) not in self._rereads.overlapped
        session.is_analyzed = session.is_analyzed and is_true
        self.folds[session.key, part] = patch.fold
        if patch.texts:
            self.texts.append((session.key, patch.texts))

    def _known_places(self, session: SessionState, frame: Frame) -> dict[int, tuple[int, int]]:
        """Part and position of those events of the frame that the session already has."""
        pending = self.rows.get(session.key)
        is_new = session.key in self.sessions.unsaved
        places: dict[int, tuple[int, int]] = {}
        if pending is None:
            if is_new:
                return places  # nearly always so when a store is first filled
            pending = {}
        unknown: list[int] = []
        for fingerprint, *_ in frame.rows:
            row = pending.get(fingerprint)
            if row is None:
                unknown.append(fingerprint)
            else:
                places[fingerprint] = (row[2] or 0, row[3] or 0)
        if is_new:
            return places
        for chunk in chunks(unknown):
            rows = self._connection.execute(
                "SELECT fingerprint, part, position FROM event "
                f"WHERE session = ? AND fingerprint IN ({marks(chunk)})",
                (session.key, *chunk),
            )
            for fingerprint, *place in rows:
                places[fingerprint] = self.moved.get((session.key, fingerprint), tuple(place))
        if session.evicted_events:
            evicted = self._evicted_of(session)
            places.update((fingerprint, _GONE) for fingerprint in unknown if fingerprint in evicted)
        return places

    def _evicted_of(self, session: SessionState) -> frozenset[int]:
        fingerprints = self._evicted.get(session.key)
        if fingerprints is None:
            fingerprints = self._evicted[session.key] = evicted_of(self._connection, session.key)
        return fingerprints

    def _better_placed(
        self,
        session: SessionState,
        frame: Frame,
        places: dict[int, tuple[int, int]],
        part: int,
        batch: UnitBatch,
    ) -> set[int]:
        """Which known events this frame has at a better place than their current one.

        The best place is the least (path, position), whatever the order of arrival. A part that is
        read again has its events where it has them now; events that it no longer has keep their
        order, before all that it has.
        """
        if not places and not batch.is_reread:
            return set()
        placed = self._rereads.placed
        if batch.is_reread and (session.key, part) not in self._rereads.shifted:
            self._rereads.shifted.add((session.key, part))
            self.shifted.append((REWRITTEN, session.key, part))
        better: set[int] = set()
        for fingerprint, position, *_ in frame.rows:
            event = session.key, fingerprint
            other, other_position = places.get(fingerprint, (part, position))
            if batch.is_reread and other == part:
                if event not in placed:
                    placed.add(event)
                    better.add(fingerprint)
            elif other == _NO_PART:
                continue  # evicted: known, and nowhere to be moved
            elif (batch.path, position) < (self._path_of(other), other_position):
                better.add(fingerprint)
        return better & places.keys()

    def _take_over(
        self, session: SessionState, frame: Frame, better: set[int], part: int
    ) -> set[int]:
        """Move events to their better place; return those whose content differs there."""
        replaced: set[int] = set()
        pending = self.rows.get(session.key, {})
        for event in event_tuples(frame) if better else ():
            fingerprint, position = event[:2]
            if fingerprint not in better:
                continue
            stored = self._standing(session, fingerprint)
            if stored is None or stored[2:] != event[2:]:
                replaced.add(fingerprint)
                self.moved.pop((session.key, fingerprint), None)
                session.count([self._standing_row(session, fingerprint)], -1)
            elif fingerprint in pending:
                pending[fingerprint][2:4] = [part, position]
            else:
                self.moved[session.key, fingerprint] = (part, position)
        return replaced

    def _standing(self, session: SessionState, fingerprint: int) -> tuple[object, ...] | None:
        """A known event as it is stored or planned; None if its pack cannot be read."""
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
        """The row that the database has, or will have, for a known event."""
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
