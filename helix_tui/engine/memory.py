"""Memory as commands and sweeps drive it: flushes, what hooks asked for, the knowledge base."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from helix_tui.config import Config
from helix_tui.engine.pieces import gather
from helix_tui.errors import HelixError, NotFoundError, StoreBusyError
from helix_tui.memory.agenda import Agenda
from helix_tui.memory.article import count_lines
from helix_tui.memory.compile import articles, compile_logs, title_of
from helix_tui.memory.daily import daily_logs
from helix_tui.memory.distill import distiller_of
from helix_tui.memory.entry import read_entries
from helix_tui.memory.flush import Flusher
from helix_tui.memory.flush_log import FlushState, flush_log, flush_logs
from helix_tui.memory.forget import forget
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.spending import Spending
from helix_tui.memory.spool import Spool
from helix_tui.retain.plan import GROWING_MS
from helix_tui.schema import Session
from helix_tui.schema.memory import (
    Article,
    Compiled,
    DailyLog,
    Failure,
    Flushed,
    FlushNote,
    MemoryOverview,
    Piece,
    SpoolLine,
)
from helix_tui.store.database import Database
from helix_tui.store.layout import StoreLayout

log = logging.getLogger(__name__)
# What an agent reports when a session, or its context, is about to be gone.
ENDINGS = frozenset({"SessionEnd", "PreCompact"})


# How long a sweep goes on with what hooks asked for; the next one takes up the rest.
_BUDGET_SECONDS = 60


def _local_now() -> datetime:
    return datetime.now().astimezone()


class Memory:
    """What sessions taught, of one store."""

    def __init__(
        self,
        config: Config,
        reading: Callable[[], AbstractContextManager[Database]],
        find: Callable[[str], Session],
        now: Callable[[], datetime] = _local_now,
    ) -> None:
        self._config = config
        self._reading = reading
        self._find = find
        self._now = now
        self._layout = StoreLayout(config.store)
        self.places = MemoryPlaces(config.store.absolute())
        self._agenda = Agenda(self.places)

    def flush(self, session: Session, *, is_asked_for: bool = True) -> Flushed:
        """Brings what is new of a session into the daily log."""
        settings = self._config.memory
        flusher = Flusher(self.places, settings, distiller_of(settings, self.places), self._now)

        def new_of(seen: Collection[int]) -> Piece | None:
            with self._reading() as database:
                return gather(database, self._layout, session, seen)

        outcome = flusher.flush(session.id, new_of, is_asked_for=is_asked_for)
        log.info("flush %s: %s %s", session.id, outcome.action, outcome.reason)
        self._agenda.put({session.id: self._again(session, outcome)})
        return outcome

    def _again(self, session: Session, outcome: Flushed) -> int | None:
        """When a session that could not be flushed is to be looked at again."""
        if outcome.action == "busy":
            return self._now_ms() + self._config.memory.repeat_window_seconds * 1000
        held = self.state(session.id).held
        return held.next_at if held is not None and not held.is_dead else None

    def state(self, session_id: str) -> FlushState:
        """How far a session was flushed."""
        return flush_log(self.places, session_id).state()

    def take_spool(self, before_ms: int) -> list[SpoolLine]:
        """Puts what hooks reported until then on the agenda; returns what it was.

        A turn that ended asks for nothing by itself: its session is flushed when it has been
        quiet for long, should its end never be reported.
        """
        spool = Spool(self.places.spool)
        lines = [line for line in spool.read() if line.at <= before_ms]
        if not lines:
            return []
        due: dict[str, int | None] = {**self._agenda.read()}
        for line in lines:
            name = f"{line.flavor}:{line.session}"
            if line.event in ENDINGS:
                due[name] = line.at
            elif (known := due.get(name)) is None or known > line.at:
                due[name] = line.at + GROWING_MS
        self._agenda.put(due)
        spool.drop(lines)
        return lines

    def flush_due(
        self, cancelled: Callable[[], bool], budget_seconds: float | None = None
    ) -> Iterator[Flushed]:
        """Flushes what is due, as long as there is time; the rest stays on the agenda."""
        deadline = None if budget_seconds is None else time.monotonic() + budget_seconds
        for name, due_at in sorted(self._agenda.read().items(), key=lambda one: one[1]):
            if cancelled() or (deadline is not None and time.monotonic() > deadline):
                return
            if due_at > self._now_ms():
                continue
            try:
                session = self._find(name)
            except NotFoundError:
                # Its log held nothing that makes a session, or is kept out.
                log.info("%s is no session: nothing to flush", name)
                self._agenda.put({name: None})
                continue
            if session.parent is not None:
                # What a sub-agent came to is what it told the session that it worked for.
                self._agenda.put({name: None})
                continue
            yield self.flush(session, is_asked_for=False)

    def compile(self, *, is_now: bool = False) -> Compiled:
        """Brings the knowledge base up to date with the daily logs that are due."""
        minutes = self._config.memory.compile_interval_minutes
        return compile_logs(self.places, minutes, self._now(), is_now=is_now)

    def forget(self, session_ids: Collection[str]) -> None:
        """Drops what sessions left in memory."""
        forget(self.places, session_ids)

    def overview(self) -> MemoryOverview:
        """What there is, and what waits."""
        held = [log.state().held for log in flush_logs(self.places)]
        failures = [
            Failure(one.session, one.reason, one.rounds, one.at, one.next_at, one.is_dead)
            for one in held
            if one is not None
        ]
        return MemoryOverview(
            [_daily(path) for path in reversed(daily_logs(self.places))],
            [_article(path) for path in articles(self.places)],
            sorted(failures, key=lambda one: -one.at),
            Spool(self.places.spool).read(),
            Spending(self.places).spent(f"{self._now():%Y-%m-%d}"),
            self._config.memory.daily_token_cap,
        )

    def flushes(self, session_id: str) -> list[FlushNote]:
        """The flushes of a session, the latest first."""
        entries = reversed(self.state(session_id).entries)
        return [FlushNote(one.at, one.day, one.by, one.is_noop) for one in entries]

    def compile_if_due(self) -> None:
        """Compiles behind a flush, which is done whatever comes of it."""
        try:
            done = self.compile()
        except StoreBusyError as busy:
            log.info("compiled by another process: %s", busy)
        except HelixError as error:
            # The entry is safe; what is wrong here is told by the next `helix compile`.
            log.warning("not compiled: %s", error)
        else:
            log.info("compiled %d daily logs", len(done.days))

    def _now_ms(self) -> int:
        return int(self._now().timestamp() * 1000)


def _daily(path: Path) -> DailyLog:
    content = path.read_text(encoding="utf-8", errors="replace")
    entries = sum(1 for _ in read_entries(content))
    return DailyLog(path.stem, str(path), entries, len(content.encode()))


def _article(path: Path) -> Article:
    text = path.read_text(encoding="utf-8", errors="replace")
    return Article(title_of(text, path), str(path), count_lines(text))


def remember(memory: Memory, swept_at: int, cancelled: Callable[[], bool]) -> list[str]:
    """Flushes behind a sweep what hooks asked for before it began; says what went wrong."""
    try:
        memory.take_spool(swept_at)
        failed = [
            one
            for one in memory.flush_due(cancelled, _BUDGET_SECONDS)
            if one.action in ("failed", "capped")
        ]
        memory.compile_if_due()
    except HelixError as error:
        log.warning("what hooks asked for was not flushed: %s", error)
        return [f"What hooks asked for was not flushed: {error}"]
    return [f"{one.session} could not be flushed, and is kept: {one.reason}" for one in failed[:3]]
