"""Read any stretch of a transcript, however long it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from helix_tui.digest.harness import fault_of
from helix_tui.schema import KINDS, TOOL_CALL, TOOL_RESULT, Session, SessionEvent, StoredEvent
from helix_tui.tools import tool_class

if TYPE_CHECKING:
    from helix_tui.engine.transcripts.recall import Recalled
    from helix_tui.store.packs.transcript import Placed, Transcript

_MASK = 0xFFFFFFFFFFFFFFFF
# How far from a call its result is searched for, and vice versa.
_REACH = 48


class TimedEvent(NamedTuple):
    """An event with how long its call took and the tokens of its message, where known."""

    event: SessionEvent
    took_ms: int | None
    tokens: int | None


def event_of(session: Session, seq: int, event: StoredEvent, tool: str | None) -> SessionEvent:
    """Return an event as a transcript shows it."""
    return SessionEvent(
        seq=seq,
        ts=event.ts,
        kind=KINDS[event.kind],
        role=event.role,
        tool=tool,
        tool_class=tool_class(session.flavor, tool) if tool else None,
        call_id=event.call_id,
        is_error=event.is_error,
        exit_code=event.exit_code,
        fault=fault_of(event.kind, event.is_error, event.role, event.text, event.fault),
        text=event.text,
        sidechain=session.parent is not None,
        fingerprint=f"{event.fingerprint & _MASK:016x}",
    )


class Reading:
    """A session's events by number, read on demand; for one thread at a time.

    `recalled` counts those from the agent's own log, `missing` those that are lost.
    """

    def __init__(
        self,
        session: Session,
        stored: Transcript,
        recalled: Recalled,
        tokens: Callable[[list[str]], dict[str, int]],
    ) -> None:
        self.session = session
        self.recalled = len(recalled.events)
        self.missing = recalled.missing
        self._stored = stored
        self._tokens = tokens
        self._places = stored.places(recalled.events)

    @property
    def count(self) -> int:
        """The number of events."""
        return len(self._places)

    def find(self, fingerprint: int) -> int | None:
        """Return the number of an event; None where it is gone."""
        wanted = fingerprint & _MASK
        places = enumerate(self._places)
        return next((at for at, place in places if place.fingerprint & _MASK == wanted), None)

    def find_time(self, ts: int) -> int | None:
        """Return the number of the first event at a time; None where there is none."""
        return next((at for at, place in enumerate(self._places) if place.ts == ts), None)

    def first_after(self, ts: int) -> int:
        """Return the number of the first event after a time; else the count of events."""
        places = enumerate(self._places)
        return next(
            (at for at, place in places if place.ts is not None and place.ts > ts), self.count
        )

    def next_error(self, number: int, by: int) -> int | None:
        """Return the number of the next failed event in a direction; None where there is none."""
        numbers = range(number + by, self.count if by > 0 else -1, by)
        return next((at for at in numbers if self._is_error(self._places[at])), None)

    @staticmethod
    def _is_error(placed: Placed) -> bool:
        return placed.is_error or (placed.event is not None and placed.event.is_error)

    def is_recalled(self, number: int) -> bool:
        """Whether an event was read from the agent's own log."""
        return self._places[number].event is not None

    def steps(self, start: int, stop: int) -> list[TimedEvent]:
        """Read a range of events in order."""
        low, high = max(0, start - _REACH), min(self.count, stop + _REACH)
        around = [self._stored.read(place) for place in self._places[low:high]]
        calls = {
            event.call_id: event for event in around if event.kind == TOOL_CALL and event.call_id
        }
        ends = {
            event.call_id: event.ts
            for event in around
            if event.kind == TOOL_RESULT and event.call_id
        }
        flavor = self.session.flavor
        keys = {
            at: f"{flavor}:{event.message_id}"
            for at, event in enumerate(around)
            if event.message_id
        }
        spent = self._tokens(list(keys.values()))
        timed: list[TimedEvent] = []
        for at, event in enumerate(around):
            number = low + at
            if not start <= number < stop:
                continue
            call = calls.get(event.call_id or "")
            tool = event.tool or (call.tool if call else None)
            took = None
            if call is event:
                ended = ends.get(event.call_id or "")
                if ended is not None and event.ts is not None and ended >= event.ts:
                    took = ended - event.ts
            # The events of a message are adjacent: the first of them carries its tokens.
            key = keys.get(at)
            tokens = spent.get(key) if key and keys.get(at - 1) != key else None
            timed.append(TimedEvent(event_of(self.session, number, event, tool), took, tokens))
        return timed

    def stored(self, start: int) -> Iterator[StoredEvent]:
        """Yield events as they are stored, from a number on."""
        return map(self._stored.read, self._places[start:])

    def close(self) -> None:
        """Close the pack."""
        self._stored.close()
