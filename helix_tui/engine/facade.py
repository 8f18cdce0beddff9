"""The engine: what Helix can do, as methods; every long job is a stream of events."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec

from helix_tui.config import Config
from helix_tui.digest.extractor import EXTRACTOR, FIRST_WITH_TITLES
from helix_tui.engine.candidates.grouping import group_changes
from helix_tui.engine.sweep.retention import plan_retention, preview, retain
from helix_tui.engine.sweep.sweep import LogSource, run_sweep
from helix_tui.errors import NotFoundError, StoreError
from helix_tui.events import SweepEvent, UnitIngested
from helix_tui.retain.plan import GROWING_MS
from helix_tui.schema import (
    Digest,
    DoctorCheck,
    Evictable,
    Problem,
    RetentionReport,
    SearchResult,
    Session,
    SessionEvent,
    SessionFilter,
    SweepSummary,
    UsageFilter,
    UsageRow,
)
from helix_tui.store.database import Database, reading, translated, writing
from helix_tui.store.digests.folds import await_extractor, folds_of, is_exact
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
from helix_tui.store.packs.packs import PackDamagedError
from helix_tui.store.read.active import sessions_active_within
from helix_tui.store.repair.upkeep import children_of, forget_session, settle_packs
from helix_tui.store.user_lists import forgotten_sessions, pinned_sessions, remember_pin

# Jobs load what only they need: a sweep that finds nothing new is mostly start-up.
if TYPE_CHECKING:
    from helix_tui.engine.candidates.candidates import Candidates
    from helix_tui.engine.catalog.forgetting import Cited, TakenOut
    from helix_tui.engine.context.session_exposure import SessionExposure
    from helix_tui.engine.distribute.distribution import Distribution
    from helix_tui.engine.effect.effects import Effects
    from helix_tui.engine.health.repair import RepairReport
    from helix_tui.engine.memory.checking import CheckedEntry
    from helix_tui.engine.memory.flushing import Memory
    from helix_tui.engine.memory.notes import Notes
    from helix_tui.engine.memory.places_of_repos import RepoPlace
    from helix_tui.engine.memory.recall import Recall
    from helix_tui.engine.memory.searching import MemoryHit
    from helix_tui.engine.review.verdicts import Verdicts
    from helix_tui.engine.status import Status
    from helix_tui.engine.transcripts.recall import Recalled
    from helix_tui.engine.transcripts.transcript import Reading
    from helix_tui.memory.remembered import Remembered
    from helix_tui.pricing import PriceTable
    from helix_tui.schema.context import RepoContext, SessionPlace
    from helix_tui.schema.memory import Flushed
    from helix_tui.schema.recall import Seen
    from helix_tui.schema.report import Period, Report
    from helix_tui.store.packs.transcript import Transcript, TranscriptStream

log = logging.getLogger(__name__)
# Forgetting cannot be undone, so it needs more than a few letters of an id.
_LEAST_TO_FORGET = 8
_TRIES = 5


def _never() -> bool:
    return False


class Engine:
    """One store and its sources, under one configuration."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._layout = StoreLayout(config.store)
        self._swept_at = 0
        self._has_news = False
        # What the last `after_sweep` flushed; None where nothing asked for it.
        self.remembered: Remembered | None = None

    def sweep(
        self,
        *,
        is_dry_run: bool = False,
        cancelled: Callable[[], bool] = _never,
        groups_early: bool = False,
        source: LogSource | None = None,
    ) -> Iterator[SweepEvent]:
        """Take in what is new in the sources; stop soon after `cancelled()` is true.

        With `groups_early` the first sweep of a store has candidates to show before its end. A
        `source` takes the place of the configured folders.
        """
        self._swept_at = int(time.time() * 1000)
        events = run_sweep(self.config, self._layout, is_dry_run, cancelled, groups_early, source)
        with closing(events):
            for event in events:
                self._has_news = self._has_news or isinstance(event, UnitIngested)
                yield event

    def after_sweep(self, cancelled: Callable[[], bool] = _never) -> list[str]:
        """Settle the catalog, send what is due to the hub, have a model read turns where one may.

        Flush what hooks asked for and update the notes of running sessions as well. Return messages
        for a person.
        """
        from helix_tui.engine.sweep.after_sweep import after_sweep, has_memory_work

        messages = after_sweep(self.config, cancelled)
        if self.config.detect.reader == "model" and not cancelled():
            from helix_tui.engine.reader.reading import read_after_sweep

            messages += read_after_sweep(self.config, cancelled)
        if has_memory_work(self.config) and not cancelled():
            from helix_tui.engine.memory.flushing import remember

            self.remembered, troubles = remember(self.memory, self._swept_at, cancelled)
            messages += troubles
        messages += self._note_running(cancelled)
        return messages + self.prepare_recall()

    def push_to_team(
        self, cancelled: Callable[[], bool] = _never, *, is_asked: bool = False
    ) -> list[str]:
        """Push what changed, where this is a team's machine; return messages.

        Asked for, it tries whatever the settings say and however lately it failed.
        """
        if not (is_asked or self.config.team.push):
            return []
        from helix_tui.engine.team.pushing import push_due

        return push_due(self.config, cancelled, is_asked=is_asked)

    def prepare_recall(self, *, is_all: bool = False) -> list[str]:
        """Make ready what hooks hand out, where somebody asked for that; return messages."""
        if not (self.config.store / "memory" / "recall").is_dir():
            return []
        from helix_tui.engine.memory.preparing import prepare

        return prepare(self.config, self.recall, is_all=is_all)

    def flush(self, name: str, cancelled: Callable[[], bool] = _never) -> Flushed:
        """Flush what is new of a session into the daily log, and compile if that is due."""
        flushed = self.memory.flush(self.session(name), cancelled=cancelled)
        self.memory.compile_if_due()
        self.prepare_recall()
        return flushed

    def flush_since(
        self, since_ts: int | None, cancelled: Callable[[], bool] = _never
    ) -> tuple[int, Iterator[Flushed]]:
        """Flush all sessions since a moment, or ever; return how many at most, and each outcome."""
        sessions = [
            one for one in self.sessions(SessionFilter(since_ts=since_ts)) if not one.parent
        ]

        def flushes() -> Iterator[Flushed]:
            yield from self.memory.flush_each(sessions, cancelled)
            self.memory.compile_if_due()

        return len(sessions), flushes()

    def flush_spooled(self, cancelled: Callable[[], bool] = _never) -> list[Flushed]:
        """Take in what is new, then flush all that hooks asked for."""
        for _ in self.sweep(cancelled=cancelled):
            pass
        if cancelled():
            return []
        self._note_running(cancelled)
        self.memory.take_spool(self._swept_at)
        flushed = list(self.memory.flush_due(cancelled))
        self.memory.compile_if_due()
        self.prepare_recall()
        return flushed

    def _note_running(self, cancelled: Callable[[], bool]) -> list[str]:
        """Update the notes of running sessions, if any event came in since the last time."""
        if not self._has_news or not self.config.memory.notes or cancelled():
            return []
        self._has_news = False
        now_ms = int(time.time() * 1000)
        running = self.running(now_ms)
        if not running:
            return []
        from helix_tui.engine.memory.notes import note_running

        return note_running(self.notes(now_ms), running, cancelled)

    def running(self, now_ms: int) -> list[str]:
        """List the sessions with an event within the last hour."""
        with self._reading() as database:
            return sessions_active_within(database, now_ms - GROWING_MS + 1, now_ms + GROWING_MS)

    def notes(self, now_ms: int | None = None) -> Notes:
        """Return the notes of sessions, as of now."""
        from helix_tui.engine.memory.notes import Notes

        return Notes(self, self._reading, int(time.time() * 1000) if now_ms is None else now_ms)

    def status(self) -> Status:
        """Report what the store holds and what its sources are about to lose."""
        from helix_tui.engine.status import status_of  # what a sweep need not load

        return status_of(self.config, self._layout)

    def doctor(self) -> list[DoctorCheck]:
        """Check everything that can be wrong; change nothing."""
        from helix_tui.engine.health.doctor import run_checks

        return run_checks(self.config, self._layout)

    def repair(self, cancelled: Callable[[], bool] = _never) -> RepairReport:
        """Rebuild a damaged store, and report what is lost."""
        from helix_tui.engine.health.repair import run_repair

        return run_repair(self.config, self._layout, cancelled)

    def has_store(self) -> bool:
        """Whether a store exists; nothing is opened for that."""
        return self._layout.database.exists()

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

    def sessions(self, wanted: SessionFilter) -> list[Session]:
        """List sessions, the latest first."""
        from helix_tui.store.read.sessions import list_sessions

        with self._reading() as database:
            pinned = pinned_sessions(self._layout)
            return list_sessions(database, self._prices, wanted, pinned)

    def count_sessions(self, wanted: SessionFilter) -> int:
        """Count all sessions of a filter, whether listed or not."""
        from helix_tui.store.read.sessions import count_sessions

        with self._reading() as database:
            return count_sessions(database, wanted)

    def session(self, name: str) -> Session:
        """Return the session with an id or native id, or with the beginning of either."""
        from helix_tui.store.read.sessions import find_sessions

        with self._reading() as database:
            pinned = pinned_sessions(self._layout)
            matches = find_sessions(database, self._prices, name, pinned) if name else []
        if not matches:
            raise NotFoundError(f"There is no session {name!r}.", "`helix sessions` lists them.")
        if len(matches) > 1:
            names = ", ".join(session.id for session in matches)
            raise NotFoundError(f"{name} fits more than one session: {names}.", "Say more of it.")
        return matches[0]

    def digest(self, session: Session) -> Digest | None:
        """Return the digest of a session; None where there is none yet."""
        if not session.is_analyzed:
            return None
        from helix_tui.store.packs.transcript import session_key

        with self._reading() as database:
            key = session_key(database, session.id)
            folds = folds_of(database.connection(), key)
            if not folds:
                return None
            from helix_tui.engine.sweep.analysis import digest_of_stored

            digest = digest_of_stored(folds.values(), is_exact=is_exact(database, key))
        if self.config.detect.reader == "rules":
            return digest
        from helix_tui.digest.reader.labelled import labelled
        from helix_tui.engine.reader.label_book import labels_of

        return labelled(digest, labels_of(self.config))

    def exposure(self, session: Session) -> SessionExposure:
        """Return what a session was told, and the records that prove it."""
        from helix_tui.engine.context.session_exposure import session_exposure

        with self._reading() as database:
            return session_exposure(database, session.id)

    def transcript(self, session: Session) -> tuple[Session, Recalled, Iterator[SessionEvent]]:
        """Return a session as it is now, its events recalled from the agent's log, and all events.

        If events are evicted meanwhile, it is read again.
        """
        from helix_tui.store.packs.transcript import TranscriptStream

        current, events, recalled = self._look(session, TranscriptStream)
        return current, recalled, self._shown(current, events, recalled)

    def open_transcript(self, name: str) -> Reading:
        """Open a session's transcript, to be read in any order, a few events at a time."""
        from helix_tui.engine.transcripts.transcript import Reading
        from helix_tui.store.ingest.usage import fresh_tokens
        from helix_tui.store.packs.transcript import Transcript

        def tokens(keys: list[str]) -> dict[str, int]:
            with self._reading() as database:
                return fresh_tokens(database.connection(), keys)

        session, stored, recalled = self._look(self.session(name), Transcript)
        assert isinstance(stored, Transcript)
        return Reading(session, stored, recalled, tokens)

    def _look(
        self, session: Session, kind: type[Transcript | TranscriptStream]
    ) -> tuple[Session, Transcript | TranscriptStream, Recalled]:
        """Open a session's stored events; with recalled ones it is always a `Transcript`."""
        from helix_tui.engine.transcripts.recall import Recalled, recall
        from helix_tui.store.packs.transcript import Transcript, session_key

        for _ in range(_TRIES):
            with self._reading() as database:
                key = session_key(database, session.id)
                damage: PackDamagedError | None = None
                try:
                    stored = kind(database, self._layout, key)
                except PackDamagedError as error:
                    damage = error
                else:
                    missing = session.events - stored.stored_count
                    recalled = recall(database, key, session.id) if missing else Recalled([], 0)
                    if recalled.events and not isinstance(stored, Transcript):
                        stored.close()
                        stored = Transcript(database, self._layout, key)
            current = self.session(session.id)
            if current.events == session.events and current.raw == session.raw:
                if damage is None:
                    return current, stored, recalled
                raise StoreError(
                    f"The transcript of {session.id} is damaged: {damage}.",
                    "Run `helix doctor` to see what else is.",
                ) from damage
            session = current
        raise StoreError(f"{session.id} is changing too quickly to be shown.", "Try again.")

    def session_events(self, session: Session) -> Iterator[SessionEvent]:
        """Yield a session's events in order, from the store and, where evicted, from the log."""
        return self.transcript(session)[2]

    def _shown(
        self, session: Session, stored: Transcript | TranscriptStream, recalled: Recalled
    ) -> Iterator[SessionEvent]:
        from helix_tui.engine.transcripts.transcript import event_of
        from helix_tui.store.packs.transcript import Transcript, with_tools

        with closing(stored):
            if isinstance(stored, Transcript):
                events = stored.events(recalled.events)
            else:
                events = stored.events()
            for seq, event, tool in with_tools(events):
                yield event_of(session, seq, event, tool)

    def repo_contexts(self) -> list[RepoContext]:
        """List what agents load in each repository, and which lines are not kept to."""
        from helix_tui.engine.context.overview import repo_contexts

        with self._reading() as database:
            return repo_contexts(database, self.config.distribute.repos)

    @cached_property
    def distribution(self) -> Distribution:
        """What the catalog teaches, and into whose files it goes."""
        from helix_tui.engine.distribute.distribution import Distribution

        return Distribution(self.config, self._session_places)

    def _session_places(self) -> list[SessionPlace]:
        """Where sessions ran; without a store nobody knows."""
        from helix_tui.store.read.places import session_places

        with reading(self._layout) as database:
            return session_places(database.connection()) if database is not None else []

    def problems(self, most: int) -> list[Problem]:
        """List what could not be read, the newest first."""
        from helix_tui.store.ingest.problems import list_problems

        with self._reading() as database:
            return list_problems(database, most)

    def search(self, query: str, wanted: SessionFilter, limit: int) -> SearchResult:
        """Find sessions by what was asked, said, run and failed in them, the best first."""
        from helix_tui.engine.search import search

        with self._reading() as database:
            return search(database, query, wanted, limit)

    @cached_property
    def verdicts(self) -> Verdicts:
        """Verdicts on candidates."""
        from helix_tui.engine.review.verdicts import Verdicts

        return Verdicts(self.config, self._reading, self.effects.known_returned)

    @cached_property
    def candidates(self) -> Candidates:
        """The candidates: what recurs across sessions."""
        from helix_tui.engine.candidates.candidates import Candidates

        return Candidates(self.config, self._layout, self._reading, self.verdicts, self.effects)

    @cached_property
    def effects(self) -> Effects:
        """Whether what was taught helped: `all` of it, or `one` with the sessions behind it."""
        from helix_tui.engine.effect.effects import Effects

        return Effects(self.config, self._reading)

    @cached_property
    def memory(self) -> Memory:
        """Memory: daily logs, the knowledge base, and what hooks asked for."""
        from helix_tui.engine.memory.flushing import Memory

        return Memory(self.config, self._reading, self.session)

    @cached_property
    def recall(self) -> Recall:
        """What earlier sessions taught."""
        from helix_tui.engine.memory.recall import Recall

        return Recall(self.config, self._reading)

    def checked_memory(self, day: str = "") -> Iterator[CheckedEntry]:
        """Hold what models wrote into memory against what their sessions said."""
        from helix_tui.engine.memory.checking import checked_entries

        return checked_entries(self.memory.places, self._reading, day)

    def search_memory(
        self, query: str, repo: str | None, since_day: str, limit: int
    ) -> tuple[list[MemoryHit], int, list[str]]:
        """Find words in what is remembered; how many places there are, and what is unreadable."""
        from helix_tui.engine.memory.searching import search_memory

        return search_memory(self.memory.places, query, repo, since_day, limit)

    def seen_before(self, message: str, repo: str) -> Seen | None:
        """What is known of the error that a message is; None where it was never seen."""
        from helix_tui.engine.memory.seen_before import seen_before

        with self._reading() as database:
            return seen_before(database, self.recall, message, repo)

    def place_of(self, folder: Path) -> RepoPlace | None:
        """The repository around a folder, if sessions ran there."""
        from helix_tui.engine.memory.places_of_repos import place_of

        place = place_of(str(folder))
        return place if place is not None and place in self.recall.roots().places() else None

    def usage(self, by: str, wanted: UsageFilter | None = None) -> tuple[list[UsageRow], UsageRow]:
        """Sum tokens and cost by time, repo, model, flavor or session, with their total."""
        from helix_tui.store.read.costs import usage_by

        with self._reading() as database:
            return usage_by(database, self._prices, by, wanted or UsageFilter())

    def known_names(self) -> tuple[list[str], list[str]]:
        """List the agents and the repositories that sessions are of."""
        from helix_tui.store.read.names import agent_names, repo_names

        with self._reading() as database:
            return agent_names(database), repo_names(database)

    def report(self, period: Period, *, has_excerpts: bool = False) -> Report:
        """Report where the work and the waste of a period went."""
        from helix_tui.engine.report import make_report

        return make_report(self, self._reading, self._prices, period, has_excerpts=has_excerpts)

    @cached_property
    def _prices(self) -> PriceTable:
        """The prices in force, read when first needed."""
        from helix_tui.pricing import price_table

        return price_table(self.config.prices)

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

    def where_cited(self, sessions: Sequence[str]) -> Cited:
        """Find where catalog and journal quote sessions."""
        from helix_tui.engine.catalog.forgetting import where_cited

        return where_cited(self.config, sessions)

    def take_out(self, sessions: Sequence[str]) -> TakenOut:
        """Remove what catalog and journal quote of sessions."""
        from helix_tui.engine.catalog.forgetting import take_out

        return take_out(self.config, sessions)

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

    def pin(self, name: str, *, is_pinned: bool) -> Session:
        """Keep a session's raw bytes as long as the hard cap allows, or no longer."""
        session = self.session(name)
        with translated(self._layout):
            remember_pin(self._layout, session.id, is_pinned=is_pinned)
        return msgspec.structs.replace(session, is_pinned=is_pinned)

    def retain(
        self, *, is_dry_run: bool, cancelled: Callable[[], bool] = _never
    ) -> RetentionReport:
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

    def domain_of(self, repo: str | None) -> str | None:
        """Return the configured domain of a repository; exact names come first."""
        if repo is None:
            return None
        domains = self.config.domains
        if repo in domains:
            return domains[repo]
        return next((domain for glob, domain in domains.items() if fnmatchcase(repo, glob)), None)

    @contextmanager
    def _reading(self) -> Iterator[Database]:
        with reading(self._layout) as database:
            if database is None:
                self._refuse_missing()
            yield database

    def _require_store(self) -> None:
        """Refuse to go on without a store: a command that only changes one creates none."""
        if not self._layout.database.exists():
            self._refuse_missing()

    def _refuse_missing(self) -> NoReturn:
        raise StoreError(f"There is no store in {self._layout.root}.", "Run `helix --sweep` first.")
