"""What is new of a session since it was last flushed, as plain data for a distiller."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

import msgspec

from helix_tui.digest.excerpt import excerpt
from helix_tui.digest.fold import Folder
from helix_tui.digest.state import new_fold
from helix_tui.engine.recall import Recalled, recall
from helix_tui.schema import PROMPT, REPLY, SYSTEM, TOOL_CALL, TOOL_RESULT, Session, StoredEvent
from helix_tui.schema.memory import Exchange, Piece
from helix_tui.store.database import Database
from helix_tui.store.evicted import evicted_of
from helix_tui.store.layout import StoreLayout
from helix_tui.store.transcript import Transcript, session_key
from helix_tui.text.redact import redact

ASKED_LENGTH = 1_500
ANSWERED_LENGTH = 2_500
# Of a session of thousands of turns the first and the latest are told.
MOST_EXCHANGES = 60
_COMMAND = re.compile(r"<command-name>/?([\w:.-]{1,80})</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]{1,2000})</command-args>")


def gather(
    database: Database, layout: StoreLayout, session: Session, seen: Collection[int]
) -> Piece | None:
    """The piece of a session that is not in `seen`; None where that is nothing."""
    key = session_key(database, session.id)
    transcript = Transcript(database, layout, key)
    try:
        evicted = evicted_of(database.connection(), key)
        recalled = recall(database, key, session.id) if evicted - set(seen) else Recalled([], 0)
        places = transcript.places(recalled.events)
        wanted = {place.fingerprint for place in places} | evicted
        new = wanted.difference(seen)
        if not new:
            return None
        events = [transcript.read(place) for place in places]
    finally:
        transcript.close()
    return _piece(session, events, new, is_first=not seen)


def _piece(session: Session, events: list[StoredEvent], new: set[int], *, is_first: bool) -> Piece:
    fresh = [event for event in events if event.fingerprint in new]
    times = [event.ts for event in fresh if event.ts is not None]
    folder = Folder(session.flavor, new_fold())
    folder.step_all(map(msgspec.structs.astuple, _with_their_calls(events, fresh, new)))
    return Piece(
        session.id,
        session.flavor,
        session.native_id,
        session.repo and redact(session.repo),
        session.branch and redact(session.branch),
        session.cwd and redact(session.cwd),
        min(times, default=None),
        max(times, default=None),
        is_first,
        _exchanges(fresh),
        folder.fold.facts,
        sorted(new),
    )


def _with_their_calls(
    events: list[StoredEvent], fresh: list[StoredEvent], new: set[int]
) -> Iterable[StoredEvent]:
    """New events, led by the calls of before whose results are among them."""
    answered = {event.call_id for event in fresh if event.kind == TOOL_RESULT and event.call_id}
    for event in events:
        is_call = event.kind == TOOL_CALL and event.call_id in answered
        if event.fingerprint in new or is_call:
            yield event


def _exchanges(events: list[StoredEvent]) -> list[Exchange]:
    """Turns, each with what was said last in it; the first and the latest of very many."""
    turns: list[_Turn] = [_Turn()]
    for event in events:
        if event.kind == PROMPT:
            turns.append(_Turn(event.ts, event.text))
        elif event.kind == SYSTEM and event.role == "user" and (named := _command(event.text)):
            turns.append(_Turn(event.ts, named))
        elif event.kind == REPLY and event.text.strip():
            turns[-1].answered = event.text
        elif event.kind == TOOL_CALL:
            turns[-1].calls += 1
    told = [turn for turn in turns if turn.asked or turn.answered]
    if len(told) > MOST_EXCHANGES:
        told = [told[0], *told[1 - MOST_EXCHANGES :]]
    return [
        Exchange(
            turn.ts,
            excerpt(turn.asked, ASKED_LENGTH),
            excerpt(turn.answered, ANSWERED_LENGTH),
            turn.calls,
        )
        for turn in told
    ]


def _command(text: str) -> str:
    """A command of the agent's own that a person gave, with what was behind it."""
    found = _COMMAND.search(text)
    if not found:
        return ""
    given = _ARGUMENTS.search(text)
    return f"/{found[1]} {given[1] if given else ''}".strip()


class _Turn(msgspec.Struct):
    ts: int | None = None
    asked: str = ""
    answered: str = ""
    calls: int = 0
