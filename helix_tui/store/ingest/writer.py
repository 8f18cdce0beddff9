"""Commit what capture read: packs first and synced, then rows, cursors and usage together."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from helix_tui.schema import Frame, Problem, SessionPatch, UnitBatch
from helix_tui.store.database import Database
from helix_tui.store.digests.folds import Judge, folds_of, write_folds
from helix_tui.store.digests.search_index import add_texts
from helix_tui.store.ingest.instructions import write_instructions
from helix_tui.store.ingest.plan import PendingRow, Rereads, RowKeys, TransactionPlan
from helix_tui.store.ingest.problems import ProblemBook
from helix_tui.store.ingest.session_state import COLUMNS, RepoOf, SessionState
from helix_tui.store.ingest.usage import UsageLedger
from helix_tui.store.ingest.vanished import drop_vanished
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.packs import PackAppender, PackHeader, is_pack_of
from helix_tui.store.packs.seal import break_seal, packs_state, seal_packs
from helix_tui.store.packs.space import EVENT_ROW_BYTES, require_room
from helix_tui.store.packs.unowned import pack_owner
from helix_tui.store.sql import insert_rows, marks
from helix_tui.store.user_lists import forgotten_sessions

if TYPE_CHECKING:
    from helix_tui.schema.signal import Judged

# A transaction ends when it has taken this much; what a crash loses is read again.
FLUSH_BYTES = 32 << 20
FLUSH_BATCHES = 2000


class Committed(msgspec.Struct, frozen=True):
    """A batch that is in the store, and whether it brought anything new."""

    batch: UnitBatch
    is_news: bool
    new_problems: list[Problem]


class StoreWriter:
    """The one writer of a store; collects batches until a transaction is worthwhile."""

    def __init__(
        self, database: Database, layout: StoreLayout, repo_of: RepoOf, judge: Judge
    ) -> None:
        self._database = database
        self._connection: sqlite3.Connection = database.connection()
        self._layout = layout
        self._repo_of = repo_of
        self._judge = judge
        self.analyzed: set[int] = set()
        self._waiting: list[UnitBatch] = []
        self._waiting_bytes = 0
        self._is_unsealed = False
        self._was_agreed = False
        self._proved: set[int] = set()
        self._appender = PackAppender(layout)
        self._keys = RowKeys(self._connection)
        self._forgotten = forgotten_sessions(layout)
        self._rereads = Rereads()
        self._held_back: set[tuple[str, str]] = set()
        self._problems = ProblemBook(self._connection)

    def add(self, batch: UnitBatch) -> list[Committed]:
        """Take a batch; return what was committed, if a transaction was due."""
        self._waiting.append(batch)
        self._waiting_bytes += batch.bytes_read
        if self._waiting_bytes < FLUSH_BYTES and len(self._waiting) < FLUSH_BATCHES:
            return []
        return self.flush()

    def flush(self) -> list[Committed]:
        """Commit everything that waits."""
        batches, self._waiting, self._waiting_bytes = self._waiting, [], 0
        if not batches:
            return []
        from helix_tui.store.detection.signals import mark_sessions, write_signals

        self._break_seal()
        batches = [self._admitted(batch) for batch in batches]
        plan = TransactionPlan(
            self._connection,
            self._keys,
            self._repo_of,
            self._forgotten,
            self._rereads,
            self._layout,
        )
        for index, batch in enumerate(batches):
            plan.add(index, batch)
        if plan.frames:
            require_room(self._layout, 2 * sum(map(_frame_bytes, plan.frames.values())))
        self._append_packs(plan)
        with self._database.atomic("IMMEDIATE"):
            self._write_usage(plan)
            new_problems = [self._write_cursor(batch, plan) for batch in batches]
            judged = self._write_digests(plan)
            self._write_rows(plan)
            if plan.reread_databases:
                self._follow_databases(plan)
            write_instructions(self._connection, plan.instructions)
            mark_sessions(self._connection, plan.sessions.by_key)
            for key, verdict in judged.items():
                write_signals(self._connection, key, verdict)
        self._appender.touched.clear()
        return [
            Committed(batch, index in plan.news, new_problems[index])
            for index, batch in enumerate(batches)
        ]

    def finish(self, standing: list[Problem]) -> list[Problem]:
        """End a complete sweep: record what discovery could not read, drop solved problems."""
        with self._database.atomic("IMMEDIATE"):
            return self._problems.enter_standing(standing)

    def close(self) -> None:
        """Seal the packs: rows and packs agree after every flush."""
        if self._is_unsealed and self._was_agreed:
            seal_packs(self._connection, self._layout)
        self._is_unsealed = False

    def take_back(self) -> None:
        """Truncate packs that a failed transaction appended to: the space is needed."""
        for path in self._appender.touched:
            row = self._connection.execute(
                "SELECT pack_bytes FROM session WHERE key = ?", (int(path.stem),)
            ).fetchone()
            committed = row[0] if row else 0
            if committed == 0:
                path.unlink(missing_ok=True)
            elif path.stat().st_size > committed:
                os.truncate(path, committed)
        self._appender.touched.clear()
        self.close()

    def _admitted(self, batch: UnitBatch) -> UnitBatch:
        """The batch, or only a problem where the pack of one of its sessions is damaged.

        Nothing can be appended to such a pack; its unit waits, and all others go on.
        """
        unit = batch.flavor, batch.unit
        if unit not in self._held_back and not any(map(self._is_damaged, batch.patches)):
            return batch
        self._held_back.add(unit)
        problem = Problem(batch.path, None, "the pack of its session is damaged: see helix doctor")
        return msgspec.structs.replace(
            batch, cursor=None, bytes_read=0, problems=[problem], patches=[]
        )

    def _is_damaged(self, patch: SessionPatch) -> bool:
        if patch.frame is None:
            return False
        row = self._connection.execute(
            "SELECT key FROM session WHERE id = ?", (patch.id,)
        ).fetchone()
        if row is None or row[0] in self._proved:
            return False
        owner = pack_owner(self._connection, row[0])
        if not is_pack_of(self._layout.pack(owner.key), owner):
            return True
        self._proved.add(owner.key)
        return False

    def _break_seal(self) -> None:
        """Record, before the first pack is touched, that a crash would leave something behind."""
        if not self._is_unsealed:
            self._was_agreed = packs_state(self._connection, self._layout).is_agreed
            break_seal(self._layout)
            self._is_unsealed = True

    def _append_packs(self, plan: TransactionPlan) -> None:
        for key, frames in plan.frames.items():
            session = plan.sessions.with_key(key)
            header = PackHeader(session.id, session.flavor, session.native_id, session.parent)
            places, session.pack_bytes = self._appender.append(
                self._layout.pack(key), session.pack_bytes, header, [frame for frame, _ in frames]
            )
            for place, (_, rows) in zip(places, frames, strict=True):
                for row in rows:
                    row[7] = place.offset
        if plan.frames:
            self._appender.sync()

    def _write_usage(self, plan: TransactionPlan) -> None:
        ledger = UsageLedger(self._connection, plan.sessions.with_key)
        ledger.load(claim.key for _, claims, _ in plan.claims for claim in claims)
        for session, claims, index in plan.claims:
            for claim in claims:
                if ledger.claim(session, claim):
                    plan.news.add(index)
        for session in plan.began_earlier:
            ledger.began_earlier(session)
        ledger.settle()

    def _follow_databases(self, plan: TransactionPlan) -> None:
        """Take out what databases no longer have, of which all was read again."""
        ledger = UsageLedger(self._connection, plan.sessions.with_key)
        for part in plan.reread_databases:
            standing = self._rereads.standing.pop(part, {})
            sessions = {key: plan.sessions.with_key(key) for key in standing}
            changed = drop_vanished(self._connection, ledger, part, standing, sessions)
            save_sessions(self._connection, changed)

    def _write_digests(self, plan: TransactionPlan) -> dict[int, Judged]:
        """Store folds and texts of sessions that they cover completely; return their verdicts."""
        judgements: dict[int, Judged] = {}
        sessions = {key: plan.sessions.with_key(key) for key, _ in plan.folds}
        write_folds(
            self._connection,
            {place: data for place, data in plan.folds.items() if sessions[place[0]].is_analyzed},
        )
        add_texts(self._connection, [item for item in plan.texts if sessions[item[0]].is_analyzed])
        for key, session in sessions.items():
            if session.is_analyzed:
                judged = self._judge([*folds_of(self._connection, key).values()])
                session.take_verdict(judged.verdict if judged else None)
                if judged is not None:
                    judgements[key] = judged
                    self.analyzed.add(key)
        return judgements

    def _write_rows(self, plan: TransactionPlan) -> None:
        connection = self._connection
        save_sessions(connection, plan.sessions.by_key.values())
        connection.executemany(
            "UPDATE event SET position = position - ? WHERE session = ? AND part = ?", plan.shifted
        )
        by_fingerprint = [
            row
            for key in sorted(plan.rows)
            for row in sorted(plan.rows[key].values(), key=itemgetter(1))
        ]
        insert_rows(connection, "INSERT OR REPLACE INTO event", by_fingerprint)
        connection.executemany(
            "UPDATE event SET part = ?, position = ? WHERE session = ? AND fingerprint = ?",
            [(*place, *event) for event, place in plan.moved.items()],
        )
        connection.executemany(
            "INSERT INTO frame VALUES (?, ?, ?, ?, ?)",
            [
                (key, rows[0][7], len(frame.payload), frame.size, frame.checksum)
                for key, frames in plan.frames.items()
                for frame, rows in frames
            ],
        )

    def _write_cursor(self, batch: UnitBatch, plan: TransactionPlan) -> list[Problem]:
        cursor = batch.cursor
        if cursor is not None:
            stamp = cursor.stamp
            self._connection.execute(
                "INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    plan.part_keys[batch.flavor, batch.unit, batch.part],
                    batch.flavor,
                    batch.unit,
                    batch.part,
                    batch.path,
                    stamp.device if stamp else 0,
                    stamp.inode if stamp else 0,
                    stamp.size if stamp else -1,
                    stamp.mtime_ns if stamp else 0,
                    cursor.offset,
                    cursor.head_length,
                    cursor.head_hash,
                    cursor.tail_hash,
                    batch.is_document,
                ),
            )
            self._write_state(batch)
        return self._problems.enter(batch)

    def _write_state(self, batch: UnitBatch) -> None:
        if batch.state:
            self._connection.execute(
                "INSERT OR REPLACE INTO unit_state VALUES (?, ?, ?)",
                (batch.flavor, batch.unit, batch.state),
            )
        elif batch.is_reread:
            self._connection.execute(
                "DELETE FROM unit_state WHERE flavor = ? AND unit = ?", (batch.flavor, batch.unit)
            )


def _frame_bytes(frames: list[tuple[Frame, list[PendingRow]]]) -> int:
    return sum(len(frame.payload) + len(rows) * EVENT_ROW_BYTES for frame, rows in frames)


def save_sessions(connection: sqlite3.Connection, sessions: Iterable[SessionState]) -> None:
    """Write the rows of sessions, new and changed."""
    updates = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS)
    connection.executemany(
        f"INSERT INTO session ({', '.join(COLUMNS)}) VALUES ({marks(COLUMNS)}) "
        f"ON CONFLICT (key) DO UPDATE SET {updates}",
        [session.row() for session in sessions],
    )
