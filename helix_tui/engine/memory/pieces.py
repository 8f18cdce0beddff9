"""Gather what is new of a session since its last flush, as plain data for a distiller."""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from heapq import merge
from itertools import groupby

import msgspec

from helix_tui.digest.excerpt import excerpt
from helix_tui.digest.fold import Folder
from helix_tui.digest.left_open import unfinished
from helix_tui.digest.state import new_fold
from helix_tui.engine.transcripts.recall import Recalled, recall
from helix_tui.schema import (
    PROMPT,
    REPLY,
    SYSTEM,
    TOOL_CALL,
    TOOL_RESULT,
    EventTuple,
    Session,
    StoredEvent,
)
from helix_tui.schema.memory import Exchange, Piece
from helix_tui.store.database import Database
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.evicted import evicted_of
from helix_tui.store.packs.transcript import (
    Transcript,
    TranscriptStream,
    session_key,
    stored_fingerprints,
)
from helix_tui.text.asked import spoken
from helix_tui.text.redact import redact

ASKED_LENGTH = 1_500
ANSWERED_LENGTH = 2_500
# Of a very long session the first turn and the latest ones are kept.
MOST_EXCHANGES = 60
# What is held of a session at a time, in characters.
_BATCH_SIZE = 1 << 18
_SIZE_OF_EVENT = 256
_COMMAND = re.compile(r"<command-name>/?([\w:.-]{1,80})</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]{1,2000})</command-args>")


def gather(
    database: Database, layout: StoreLayout, session: Session, flushed: Collection[int]
) -> Piece | None:
    """Gather the events of a session that were not `flushed`; None where there are none."""
    key = session_key(database, session.id)
    connection = database.connection()
    evicted = evicted_of(connection, key)
    recalled = recall(database, key, session.id) if evicted.difference(flushed) else Recalled([], 0)
    with database.atomic():  # the fingerprints and the events are of one moment
        stored = stored_fingerprints(database, key)
        covered = merge(stored, sorted(evicted)) if evicted else stored
        new = array(
            "q", (fingerprint for fingerprint, _ in groupby(covered) if fingerprint not in flushed)
        )
        if not new:
            return None
        if recalled.events:
            # Recalled events lie between stored ones: only a list can hold both.
            with closing(Transcript(database, layout, key)) as whole:
                return _piece(session, partial(whole.events, recalled.events), new, flushed)
        stream = TranscriptStream(database, layout, key)
    with closing(stream):
        return _piece(session, stream.events, new, flushed)


def _piece(
    session: Session,
    read: Callable[[], Iterator[StoredEvent]],
    new: Sequence[int],
    flushed: Collection[int],
) -> Piece:
    """Read a session's events, twice where some were flushed before; keep few in memory."""
    folder = Folder(session.flavor, new_fold(), has_turns=False)
    exchanges = _Exchanges()
    first_ts = last_ts = None
    answered = _answered(read(), flushed) if flushed else frozenset()
    # Many at a time: the end of each batch costs as much as some events do.
    batch: list[EventTuple] = []
    size = 0
    for event in read():
        is_new = event.fingerprint not in flushed
        if is_new and event.ts is not None:
            first_ts = event.ts if first_ts is None else min(first_ts, event.ts)
            last_ts = event.ts if last_ts is None else max(last_ts, event.ts)
        if is_new:
            exchanges.take(event)
        # An earlier call is needed to understand its new result.
        if is_new or (event.kind == TOOL_CALL and event.call_id in answered):
            batch.append(msgspec.structs.astuple(event))
            size += len(event.text) + _SIZE_OF_EVENT
        if size > _BATCH_SIZE:
            folder.step_all(batch)
            batch, size = [], 0
    folder.step_all(batch)
    return Piece(
        session.id,
        session.flavor,
        session.native_id,
        session.repo and redact(session.repo),
        session.branch and redact(session.branch),
        session.cwd and redact(session.cwd),
        first_ts,
        last_ts,
        not flushed,
        exchanges.told(),
        folder.fold.facts,
        new,
        unfinished(folder.fold.facts),
    )


def _answered(events: Iterable[StoredEvent], flushed: Collection[int]) -> frozenset[str]:
    """Return the ids of calls whose results are new."""
    return frozenset(
        event.call_id
        for event in events
        if event.kind == TOOL_RESULT and event.call_id and event.fingerprint not in flushed
    )


class _Exchanges:
    """Turns, each with its last reply; of very many, the first and the latest."""

    def __init__(self) -> None:
        self._turn = _PieceTurn()
        self._first: _PieceTurn | None = None
        self._latest: deque[_PieceTurn] = deque(maxlen=MOST_EXCHANGES - 1)

    def take(self, event: StoredEvent) -> None:
        """Add the next event."""
        if event.kind == PROMPT:
            self._begin(event.ts, spoken(event.text) or event.text)
        elif event.kind == SYSTEM and event.role == "user" and (named := _command(event.text)):
            self._begin(event.ts, named)
        elif event.kind == REPLY and event.text.strip():
            self._turn.answered = event.text
        elif event.kind == TOOL_CALL:
            self._turn.calls += 1

    def _begin(self, ts: int | None, asked: str) -> None:
        self._end()
        self._turn = _PieceTurn(ts, asked)

    def _end(self) -> None:
        if not (self._turn.asked or self._turn.answered):
            return
        if self._first is None:
            self._first = self._turn
        else:
            self._latest.append(self._turn)

    def told(self) -> list[Exchange]:
        """Return the exchanges, after the last event."""
        self._end()
        turns = [*([self._first] if self._first else []), *self._latest]
        return [
            Exchange(
                turn.ts,
                excerpt(turn.asked, ASKED_LENGTH),
                excerpt(turn.answered, ANSWERED_LENGTH),
                turn.calls,
            )
            for turn in turns
        ]


def _command(text: str) -> str:
    """Return a slash command that a person gave, with its arguments."""
    name = _COMMAND.search(text)
    if not name:
        return ""
    arguments = _ARGUMENTS.search(text)
    return f"/{name[1]} {arguments[1] if arguments else ''}".strip()


class _PieceTurn(msgspec.Struct):
    ts: int | None = None
    asked: str = ""
    answered: str = ""
    calls: int = 0
