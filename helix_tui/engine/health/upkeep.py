"""How a store is kept: checked, repaired, within its budget, without what is to be forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from helix_tui.digest.extractor import EXTRACTOR, FIRST_WITH_TITLES
from helix_tui.engine.candidates.grouping import group_changes
from helix_tui.engine.memory.remembering import Remembering, never
from helix_tui.engine.sweep.retention import plan_retention, preview, retain
from helix_tui.errors import NotFoundError
from helix_tui.schema import (
    DoctorCheck,
    Evictable,
    Problem,
    RetentionReport,
    Session,
    SweepSummary,
)
from helix_tui.store.database import translated, writing
from helix_tui.store.digests.folds import await_extractor
from helix_tui.store.forget_session import children_of, forget_session
from helix_tui.store.lock import writer_lock
from helix_tui.store.packs.settle import settle_packs
from helix_tui.store.user_lists import forgotten_sessions, pinned_sessions, remember_pin

# Jobs load what only they need: a sweep that finds nothing new is mostly start-up.
if TYPE_CHECKING:
    from helix_tui.engine.health.repair import RepairReport
    from helix_tui.engine.status import Status

# Forgetting cannot be undone, so it needs more than a few letters of an id.
_LEAST_TO_FORGET = 8


class Upkeep(Remembering):
    """A store with all that keeps it sound and small."""

    def status(self) -> Status:
        """Report what the store holds and what its sources are about to lose."""
        from helix_tui.engine.status import status_of  # what a sweep need not load

        return status_of(self.config, self._layout)

    def problems(self, most: int) -> list[Problem]:
        """List what could not be read, the newest first."""
        from helix_tui.store.ingest.problems import list_problems

        with self._reading() as database:
            return list_problems(database, most)

    def growth(self, most: int) -> list[SweepSummary]:
        """List how the last sweeps left the store, the oldest first."""
        from helix_tui.store.ingest.sweeps import last_sweeps

        with self._reading() as database:
            return last_sweeps(database, most)

    def holdings(self) -> list[Evictable]:
        """List every session with raw bytes, and what decides when these are evicted."""
        from helix_tui.store.packs.eviction import evictables
        from helix_tui.store.read.sessions import titled

        with self._reading() as database:
            return titled(database, evictables(database, pinned_sessions(self._layout)))

    def doctor(self) -> list[DoctorCheck]:
        """Check everything that can be wrong; change nothing."""
        from helix_tui.engine.health.doctor import run_checks

        return run_checks(self.config, self._layout)

    def repair(self, cancelled: Callable[[], bool] = never) -> RepairReport:
        """Rebuild a damaged store, and report what is lost."""
        from helix_tui.engine.health.repair import run_repair

        return run_repair(self.config, self._layout, cancelled)

    def retain(self, *, is_dry_run: bool, cancelled: Callable[[], bool] = never) -> RetentionReport:
        """Carry the eviction plan out, or only report it."""
        if is_dry_run:
            with self._reading() as database:
                return preview(plan_retention(self.config, database, self._layout))
        self._require_store()
        from helix_tui.capture.repo import repo_of
        from helix_tui.engine.sweep.analysis import analyze_pending

        with writer_lock(self._layout), writing(self._layout) as database:
            settle_packs(database, self._layout)
            # Analyze before evicting: afterwards it is too late.
            await_extractor(database, EXTRACTOR, FIRST_WITH_TITLES, repo_of)
            for _ in analyze_pending(database, self._layout, cancelled):
                pass
            evictions = retain(self.config, database, self._layout, cancelled)
            while True:
                try:
                    next(evictions)
                except StopIteration as finished:
                    report: RetentionReport = finished.value
                    return report

    def pin(self, name: str, *, is_pinned: bool) -> Session:
        """Keep a session's raw bytes as long as the hard cap allows, or no longer."""
        session = self.session(name)
        with translated(self._layout):
            remember_pin(self._layout, session.id, is_pinned=is_pinned)
        return msgspec.structs.replace(session, is_pinned=is_pinned)

    def forget(self, name: str) -> tuple[Session, int]:
        """Drop everything of a session and its children, and keep it out from now on."""
        session = self.session(name)
        if name not in (session.id, session.native_id) and len(name) < _LEAST_TO_FORGET:
            raise NotFoundError(
                f"{name!r} is too little to forget {session.id} by.", "Say the whole id."
            )
        with writer_lock(self._layout), writing(self._layout) as database:
            settle_packs(database, self._layout)
            if (self.config.store / "memory").is_dir():
                # Before the store: after an interruption here the session can still be found.
                self.memory.forget([session.id, *children_of(database, session.id)])
            if self._layout.labels.exists():
                from helix_tui.engine.reader.apply import forget_labels

                forget_labels(
                    self.config, database, [session.id, *children_of(database, session.id)]
                )
            count = forget_session(database, self._layout, session.id)
            group_changes(self.config, database)  # no candidate may still cite it
        self.prepare_recall(is_all=True)
        return session, count

    def forgotten(self, name: str) -> list[str]:
        """List the ids of a forgotten session and of its sub-agents; empty if it never was."""
        forgotten_ids = forgotten_sessions(self._layout)
        whole = [
            session_id
            for session_id in forgotten_ids
            if name in (session_id, session_id.partition(":")[2])
        ]
        return sorted(
            session_id
            for session_id in forgotten_ids
            if any(f"{session_id}.".startswith(f"{root}.") for root in whole)
        )
