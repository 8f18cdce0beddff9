"""Keep the notes of running sessions current: one file each, updated by a rule."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.harness import fault_of
from helix_tui.engine.memory.pieces import gather
from helix_tui.engine.memory.turns import is_of_client
from helix_tui.engine.model import configured_model
from helix_tui.errors import HelixError, NotFoundError, StoreBusyError
from helix_tui.memory.distill.material import material_of
from helix_tui.memory.notes.asked import asked_for
from helix_tui.memory.notes.file import (
    list_files,
    locked,
    notes_path,
    read_template,
    read_text,
    write_text,
)
from helix_tui.memory.notes.model_notes import ask_for_notes, with_answer
from helix_tui.memory.notes.page import NotesState, Page, fresh_page, read_page, write_page
from helix_tui.memory.notes.rule import NotesDecision, NotesFacts, awaited, decide
from helix_tui.memory.notes.sections import sections_of
from helix_tui.memory.notes.told import with_told
from helix_tui.memory.notes.watch import RequestUsage, Watch, follow
from helix_tui.memory.notes.worklog import line_of
from helix_tui.memory.places import MemoryPlaces
from helix_tui.model.failure import OF_THE_QUESTION, ModelError
from helix_tui.retain.plan import GROWING_MS
from helix_tui.schema import (
    PROMPT,
    REPLY,
    TOOL_CALL,
    TOOL_RESULT,
    Facts,
    Session,
    StoredEvent,
)
from helix_tui.schema.memory import (
    DistillerName,
    NotesAction,
    NotesFile,
    NotesOutcome,
    NotesTurn,
)
from helix_tui.store.database import Database
from helix_tui.store.ingest.usage import dated_requests, request_tokens
from helix_tui.store.layout import StoreLayout
from helix_tui.text.asked import spoken
from helix_tui.tools import tool_class

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.engine.transcripts.sessions import Sessions

log = logging.getLogger(__name__)
_MASK = (1 << 64) - 1
_WORDS = 200
_LONG_AGO = -(1 << 62)


def list_notes(config: Config) -> list[NotesFile]:
    """List all notes of a store, the latest first."""
    return list_files(MemoryPlaces(config.store.absolute()))


def read_notes(config: Config, session_id: str) -> str:
    """Read the notes of a session; empty where it has none."""
    return read_text(notes_path(MemoryPlaces(config.store.absolute()), session_id))


class _Look(NamedTuple):
    """A session since its last update: the facts for the rule, and turns for the worklog."""

    facts: NotesFacts
    watch: Watch
    turns: list[NotesTurn]
    events: int
    mark: str
    mark_ts: int | None


class _Due(NamedTuple):
    """Notes to write: the page as it is, what is new, and why."""

    page: Page
    look: _Look
    reason: str


class _Filled(NamedTuple):
    """What the sections say, who wrote it, why the model did not, and what it took."""

    sections: dict[str, list[str]]
    by: DistillerName = "extractive"
    fell_back: str = ""
    tokens: int = 0


class Notes:
    """The notes of one store's sessions."""

    def __init__(
        self,
        sessions: Sessions,
        reading: Callable[[], AbstractContextManager[Database]],
        now_ms: int,
    ) -> None:
        self._sessions = sessions
        self._reading = reading
        self._now = now_ms
        self._settings = sessions.config.memory
        self._places = MemoryPlaces(sessions.config.store.absolute())
        self._failure: ModelError | None = None

    def running(self) -> list[str]:
        """List the sessions with an event within the last hour."""
        return self._sessions.running(self._now)

    def update(self, session_ids: Iterable[str], *, is_forced: bool) -> Iterator[NotesOutcome]:
        """Update notes where that is due, or at once where `is_forced`."""
        for name in session_ids:
            outcome = self._update(self._sessions.session(name), is_forced)
            log.info("notes of %s: %s, %s", name, outcome.action, outcome.reason)
            yield outcome

    def expect(self, session: Session) -> NotesOutcome:
        """Return what an update would do now; write nothing."""
        text = read_text(notes_path(self._places, session.id))
        due = self._due(session, text, is_forced=False)
        if isinstance(due, NotesOutcome):
            return due
        return self._outcome(session, "waiting", f"due: {due.reason}", due.page, due.look)

    def _update(self, session: Session, is_forced: bool) -> NotesOutcome:
        path = notes_path(self._places, session.id)
        text = read_text(path)
        due = self._due(session, text, is_forced)
        if isinstance(due, NotesOutcome):
            return due
        try:
            with locked(path):
                filled = self._filled(session, due)
                return self._write(path, text, session, due, filled, is_forced)
        except StoreBusyError as busy:
            return self._outcome(session, "busy", busy.what, due.page, due.look)

    def _write(
        self,
        path: Path,
        text: str,
        session: Session,
        due: _Due,
        filled: _Filled,
        is_forced: bool,
    ) -> NotesOutcome:
        """Replace the text that was read; start again if somebody else wrote meanwhile."""
        while True:
            page_text = self._written(session, due, filled.sections)
            latest = read_text(path)
            if latest == text:
                write_text(path, page_text)
                outcome = self._outcome(session, "written", due.reason, due.page, due.look)
                return msgspec.structs.replace(
                    outcome,
                    updated_at=self._now,
                    by=filled.by,
                    fell_back=filled.fell_back,
                    tokens=filled.tokens,
                )
            text = latest
            again = self._due(session, text, is_forced)
            if isinstance(again, NotesOutcome):
                return again
            due = again

    def _due(self, session: Session, text: str, is_forced: bool) -> _Due | NotesOutcome:
        """Return what to write, or the outcome that says why nothing is written."""
        page = self._page(session, text)
        if refusal := self._refusal(session, page, is_forced=is_forced):
            action: NotesAction = "waiting" if page.state is None else "unchanged"
            return self._outcome(session, action, refusal, page)
        look = self._look(session, page.state)
        decision = self._decided(session, page, look.facts, is_forced)
        if decision.action == "wait":
            return self._outcome(session, "waiting", decision.reason, page, look)
        return _Due(page, look, decision.reason)

    def _refusal(self, session: Session, page: Page, *, is_forced: bool) -> str:
        """Say why the session need not be read; empty where it must be."""
        if session.parent is not None:
            return "a sub-agent has no notes of its own"
        if not is_forced and not self._is_running(session):
            return "nothing happened in it within the hour"
        if page.state is not None and page.state.events == session.events:
            return "nothing new since the last update"
        return ""

    def _is_running(self, session: Session) -> bool:
        last = session.last_ts
        return last is not None and self._now - GROWING_MS < last <= self._now + GROWING_MS

    def _decided(
        self, session: Session, page: Page, facts: NotesFacts, is_forced: bool
    ) -> NotesDecision:
        if not is_forced:
            return decide(page.state is not None, facts, self._settings)
        # A session that no longer runs gets no more results.
        waits = awaited(facts) if self._is_running(session) else None
        return waits or NotesDecision("update", "asked for")

    def _page(self, session: Session, text: str) -> Page:
        page = read_page(text, session.id)
        if page.state is not None:
            return page
        return fresh_page(read_template(self._settings.notes_template), text)

    def _look(self, session: Session, state: NotesState | None) -> _Look:
        with closing(self._sessions.open_transcript(session.id)) as reading:
            start, since = 0, _LONG_AGO
            watch = Watch()
            if state is not None:
                since = state.mark_ts if state.mark_ts is not None else _LONG_AGO
                number = reading.find(int(state.mark, 16)) if state.mark else None
                # Where the marked event is gone, its time is still known.
                start = number + 1 if number is not None else reading.first_after(since)
                watch = Watch(msgspec.structs.replace(state.meter), state.has_calls)
            events = [_with_fault(event) for event in reading.stored(start)]
            count = reading.session.events
        with self._reading() as database:
            connection = database.connection()
            keys = {
                event.message_id: f"{session.flavor}:{event.message_id}"
                for event in events
                if event.message_id
            }
            sizes = request_tokens(connection, keys.values())
            dated = [] if keys else dated_requests(connection, session.id, since)
        known_sizes = {name: sizes[key] for name, key in keys.items() if sizes.get(key)}
        follow(watch, events, known_sizes, [RequestUsage(*row) for row in dated if row[1]])
        last = events[-1] if events else None
        mark = f"{last.fingerprint & _MASK:016x}" if last else state.mark if state else ""
        times = [event.ts for event in events if event.ts is not None]
        mark_ts = max([*times, since]) if times or since != _LONG_AGO else None
        return _Look(watch.seen(), watch, _turns(session, events), count, mark, mark_ts)

    def _filled(self, session: Session, due: _Due) -> _Filled:
        """What the sections say: by a model, asked once, or by the digest alone."""
        digest = self._sessions.digest(session)
        facts = digest.facts if digest else Facts()
        sections = sections_of(
            session,
            facts,
            due.look.facts.context_tokens,
            is_running=self._is_running(session),
        )
        with self._reading() as database:
            piece = gather(database, StoreLayout(self._sessions.config.store), session, ())
        if piece is None:
            return _Filled(sections)
        sections = with_told(sections, piece)
        if self._settings.distiller != "model":
            return _Filled(sections)
        if self._failure is not None:
            return _Filled(sections, fell_back=str(self._failure))
        material = material_of(piece)
        day = f"{datetime.fromtimestamp(self._now / 1000).astimezone():%Y-%m-%d}"
        tokens = 0
        try:
            with configured_model(self._sessions.config) as model:
                answer = ask_for_notes(model, material, day)
            tokens = answer.tokens
            sections = with_answer(sections, answer, material)
        except ModelError as error:
            # What concerns all questions is not tried again with the next session.
            self._failure = None if error.kind in OF_THE_QUESTION else error
            return _Filled(sections, fell_back=str(error), tokens=tokens or error.tokens)
        return _Filled(sections, "model", tokens=tokens)

    def _written(self, session: Session, due: _Due, filled: dict[str, list[str]]) -> str:
        page, look = due.page, due.look
        state = NotesState(
            session.id,
            self._now,
            look.events,
            look.mark,
            look.mark_ts,
            look.facts.has_calls_in_last_turn,
            look.watch.meter.updated(),
            page.state.left_out if page.state else 0,
        )
        return write_page(page, state, filled, [line_of(turn) for turn in look.turns])

    def _outcome(
        self,
        session: Session,
        action: NotesAction,
        reason: str,
        page: Page,
        look: _Look | None = None,
    ) -> NotesOutcome:
        state = page.state
        tokens = look.facts.context_tokens if look else state.meter.tokens if state else 0
        path = notes_path(self._places, session.id)
        updated = state.updated_at if state else None
        return NotesOutcome(session.id, str(path), action, reason, tokens, updated)


def note_running(
    notes: Notes, session_ids: Iterable[str], cancelled: Callable[[], bool]
) -> list[str]:
    """Update the notes of running sessions after a sweep; return what went wrong."""
    messages = []
    for name in session_ids:
        if cancelled():
            break
        try:
            for outcome in notes.update([name], is_forced=False):
                if outcome.fell_back:
                    why = f"written without the model: {outcome.fell_back}"
                    messages.append(f"The notes of {name} were {why}")
        except NotFoundError:
            continue  # forgotten meanwhile
        except HelixError as error:
            log.warning("the notes of %s were not updated: %s", name, error)
            messages.append(f"The notes of {name} were not updated: {error}")
    more = f" And {len(messages) - 1:,} more." if messages[1:] else ""
    return [f"{message}{more}" for message in messages[:1]]


def _with_fault(event: StoredEvent) -> StoredEvent:
    """Add the fault that an event's text reveals, where no field says it."""
    fault = fault_of(event.kind, event.is_error, event.role, event.text, event.fault)
    return event if fault == event.fault else msgspec.structs.replace(event, fault=fault)


def _turns(session: Session, events: Iterable[StoredEvent]) -> list[NotesTurn]:
    """List what was asked and done, turn by turn; the first turn may have begun earlier."""
    turns: list[_NotesTurn] = [_NotesTurn()]
    for event in events:
        if event.kind == PROMPT:
            asked = spoken(event.text) or event.text
            if not is_of_client(asked):
                turns.append(_NotesTurn(event.ts, asked))
        elif event.kind == REPLY and event.text.strip():
            turns[-1].said = event.text
        elif event.kind == TOOL_CALL:
            name = tool_class(session.flavor, event.tool) if event.tool else "other"
            turns[-1].calls[name] = turns[-1].calls.get(name, 0) + 1
        elif event.kind == TOOL_RESULT:
            turns[-1].failed += event.is_error
        if turns[-1].ts is None:
            turns[-1].ts = event.ts
    return [
        NotesTurn(
            turn.ts,
            excerpt_line(asked_for(turn.asked, session.title or "", _WORDS), _WORDS),
            excerpt_line(turn.said, _WORDS),
            turn.calls,
            turn.failed,
        )
        for turn in turns
        if turn.asked or turn.said or turn.calls
    ]


class _NotesTurn(msgspec.Struct):
    ts: int | None = None
    asked: str = ""
    said: str = ""
    calls: dict[str, int] = {}
    failed: int = 0
