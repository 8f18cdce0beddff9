"""Flush sessions, serve what hooks asked for, and compile the knowledge base."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from pathlib import Path

from helix_tui.config import Config
from helix_tui.engine.guard.firings import EVENT as GUARD
from helix_tui.engine.guard.firings import keep_firings
from helix_tui.engine.memory.pieces import gather
from helix_tui.engine.model import configured_model
from helix_tui.errors import HelixError, NotFoundError, StoreBusyError
from helix_tui.memory.distill.distill import distiller_of
from helix_tui.memory.flush.agenda import Agenda
from helix_tui.memory.flush.flush import Flusher
from helix_tui.memory.flush.flush_log import FlushState, flush_log, joined
from helix_tui.memory.forget import forget
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.knowledge.compile import compile_logs
from helix_tui.memory.knowledge.judge import Judge
from helix_tui.memory.overview import memory_of, overview_of, read_page
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall.handed import note_handed
from helix_tui.memory.remembered import Remembered, remembered_lately, remembered_of
from helix_tui.memory.save_edit import save_by_hand
from helix_tui.retain.plan import GROWING_MS
from helix_tui.schema import Session
from helix_tui.schema.memory import (
    Compiled,
    Flushed,
    FlushNote,
    MemoryOverview,
    Piece,
    SessionMemory,
    SpoolLine,
)
from helix_tui.store.database import Database
from helix_tui.store.layout import StoreLayout
from helix_tui.store.read.sessions import has_session, same_conversation

log = logging.getLogger(__name__)
# The events of a hook after which a session, or its context, is gone.
ENDINGS = frozenset({"SessionEnd", "PreCompact"})


# How long a sweep spends on what hooks asked for; the next sweep continues.
_BUDGET_SECONDS = 60


def _local_now() -> datetime:
    return datetime.now().astimezone()


class Memory:
    """The memory of one store: daily logs, knowledge base, and what hooks asked for."""

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

    def flush(
        self,
        session: Session,
        *,
        is_asked_for: bool = True,
        cancelled: Callable[[], bool] = bool,
    ) -> Flushed:
        """Distill what is new of a session into the daily log."""
        settings = self._config.memory
        model = configured_model(self._config, cancelled) if settings.distiller == "model" else None
        distiller = distiller_of(settings, self.places, cancelled, model)
        flusher = Flusher(self.places, settings, distiller, self._now)

        def new_of(flushed: Collection[int]) -> Piece | None:
            with self._reading() as database:
                others = same_conversation(database, session.id)
                # A resumed or forked copy begins with what another session was flushed with.
                seen = [self.state(name).seen for name in others]
                return gather(database, self._layout, session, joined(flushed, seen))

        with model or nullcontext():
            outcome = flusher.flush(session.id, new_of, is_asked_for=is_asked_for)
        log.info("flush %s: %s %s", session.id, outcome.action, outcome.reason)
        self._agenda.put({session.id: self._again(session, outcome)})
        return outcome

    def _again(self, session: Session, outcome: Flushed) -> int | None:
        """Return when to retry a session that could not be flushed."""
        if outcome.action == "busy":
            return self._now_ms() + self._config.memory.repeat_window_seconds * 1000
        failure = self.state(session.id).held
        return failure.next_at if failure is not None and not failure.is_dead else None

    def state(self, session_id: str) -> FlushState:
        """Return how far a session was flushed."""
        return flush_log(self.places, session_id).state()

    def take_spool(self, before_ms: int) -> list[SpoolLine]:
        """Move what hooks reported until then to the agenda; return the lines.

        The end of a turn asks for no flush at once: its session is flushed after a long pause, in
        case its end is never reported.
        """
        spool = Spool(self.places.spool)
        lines = [line for line in spool.read() if line.at <= before_ms]
        if not lines:
            return []
        keep_firings(self._config.store, lines)
        note_handed(self.places, lines)
        due: dict[str, int | None] = {**self._agenda.read()}
        for line in lines:
            # A session goes on behind a call that was answered, and behind what it was handed.
            if line.event == GUARD or line.handed:
                continue
            name = f"{line.flavor}:{line.session}"
            if line.event in ENDINGS:
                due[name] = line.at
            elif (due_at := due.get(name)) is None or due_at > line.at:
                due[name] = line.at + GROWING_MS
        self._agenda.put(due)
        spool.drop(lines)
        return lines

    def flush_each(
        self, sessions: Sequence[Session], cancelled: Callable[[], bool]
    ) -> Iterator[Flushed]:
        """Flush sessions, the oldest first; stop where the model can be asked no more."""
        ready = [one for one in sessions if not (self._is_of_another(one) or self._is_running(one))]
        for session in sorted(ready, key=lambda one: one.last_ts or 0):
            if cancelled():
                return
            flushed = self.flush(session, cancelled=cancelled)
            yield flushed
            if flushed.is_model_out:
                return

    def _is_of_another(self, session: Session) -> bool:
        """Whether a sub-agent reports its result to a session that is in the store, or has none."""
        if session.parent is None:
            return False
        if not session.tool_calls:
            return True
        with self._reading() as database:
            return has_session(database, session.parent)

    def _is_running(self, session: Session) -> bool:
        return session.last_ts is not None and self._now_ms() - session.last_ts < GROWING_MS

    def flush_due(
        self, cancelled: Callable[[], bool], budget_seconds: float | None = None
    ) -> Iterator[Flushed]:
        """Flush what is due while there is time; the rest stays on the agenda."""
        deadline = None if budget_seconds is None else time.monotonic() + budget_seconds
        for name, due_at in sorted(self._agenda.read().items(), key=lambda item: item[1]):
            if cancelled() or (deadline is not None and time.monotonic() > deadline):
                return
            if due_at > self._now_ms():
                continue
            try:
                session = self._find(name)
            except NotFoundError:
                # Its log held no session, or the session is kept out.
                log.info("%s is no session: nothing to flush", name)
                self._agenda.put({name: None})
                continue
            if self._is_of_another(session):
                self._agenda.put({name: None})
                continue
            yield self.flush(session, is_asked_for=False, cancelled=cancelled)

    def compile(self, *, is_now: bool = False, cancelled: Callable[[], bool] = bool) -> Compiled:
        """Compile the daily logs that are due into the knowledge base.

        Without a model that costs nothing worth waiting for: an article has what its logs have.
        """
        settings, now = self._config.memory, self._now()
        minutes = settings.compile_interval_minutes
        if settings.distiller != "model":
            return compile_logs(self.places, 0, now, is_now=is_now)
        with configured_model(self._config, cancelled) as model:
            judge = Judge(model, f"{now:%Y-%m-%d}")
            judged = compile_logs(self.places, minutes, now, is_now=is_now, judge=judge)
        if not judged.waiting:
            return judged
        # No session waits for the model to be asked again: its lines come in as they are.
        rest = compile_logs(self.places, 0, now, is_between=True)
        days = sorted({*judged.days, *rest.days})
        return Compiled(days, rest.waiting, [*judged.articles, *rest.articles])

    def forget(self, session_ids: Collection[str]) -> None:
        """Drop what sessions left in memory."""
        forget(self.places, session_ids)

    def remembered(self) -> Remembered:
        """Return what memory took in lately, and what it could not."""
        return remembered_lately(self.places, self._now())

    def overview(self) -> MemoryOverview:
        """Return what memory holds, and what waits."""
        day = f"{self._now():%Y-%m-%d}"
        if self._config.memory.distiller == "model":
            cap = self._config.model.daily_token_cap
            return overview_of(self.places, day, cap, self._layout.model_spent)
        return overview_of(self.places, day, self._config.memory.daily_token_cap)

    def of_session(self, session_id: str) -> SessionMemory:
        """Return what memory holds of one session."""
        return memory_of(self.places, session_id)

    def page(self, path: str) -> str:
        """Read a file of memory; the end of a very long one is left out."""
        return read_page(Path(path))

    def save(self, path: str, before: str, after: str) -> Path:
        """Save a person's edit of a page; return the file that it is in now."""
        return save_by_hand(self.places, Path(path), before, after)

    def flushes(self, session_id: str) -> list[FlushNote]:
        """List the flushes of a session, the latest first."""
        return self.of_session(session_id).flushes

    def compile_if_due(self) -> None:
        """Compile after a flush; a failure here does not undo the flush."""
        try:
            compiled = self.compile()
        except StoreBusyError as busy:
            log.info("compiled by another process: %s", busy)
        except HelixError as error:
            # The entry is safe; the next `helix compile` reports the failure.
            log.warning("not compiled: %s", error)
        else:
            log.info("compiled %d daily logs", len(compiled.days))

    def _now_ms(self) -> int:
        return int(self._now().timestamp() * 1000)


def remember(
    memory: Memory, swept_at: int, cancelled: Callable[[], bool]
) -> tuple[Remembered, list[str]]:
    """Flush after a sweep what hooks asked for before it; return what came of it, and troubles."""
    flushed: list[Flushed] = []
    try:
        memory.take_spool(swept_at)
        flushed.extend(memory.flush_due(cancelled, _BUDGET_SECONDS))
        memory.compile_if_due()
    except HelixError as error:
        log.warning("what hooks asked for was not flushed: %s", error)
        return remembered_of(flushed), [f"What hooks asked for was not flushed: {error}"]
    untold = [one for one in flushed if one.action in ("failed", "capped", "fell_back")]
    return remembered_of(flushed), [_trouble(one) for one in untold[:3]]


def _trouble(flushed: Flushed) -> str:
    if flushed.action == "fell_back":
        return f"{flushed.session} was flushed without the model: {flushed.reason}"
    return f"{flushed.session} could not be flushed, and is kept: {flushed.reason}"
