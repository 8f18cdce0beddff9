"""A transcript that is read where somebody looks: any stretch of it, whatever its length."""

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
# How far from a call its result is looked for, and the other way round.
_REACH = 48


class TimedEvent(NamedTuple):
    """An event with what is known of its price: how long a call took, what its message spent."""

    event: SessionEvent
    took_ms: int | None
    tokens: int | None


def event_of(session: Session, seq: int, event: StoredEvent, tool: str | None) -> SessionEvent:
    """An event as a transcript shows it."""
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
    """A session's events by number; only what is asked for is read, from one thread at a time.

    `recalled` of them came from the agent's own log, `missing` are nowhere any more.
    """

    def __init__(
        self,
        session: Session,
        found: Transcript,
        recalled: Recalled,
        tokens: Callable[[list[str]], dict[str, int]],
    ) -> None:
        self.session = session
        self.recalled = len(recalled.events)
        self.missing = recalled.missing
        self._found = found
        self._tokens = tokens
        self._places = found.places(recalled.events)

    @property
    def count(self) -> int:
        """How many events there are."""
        return len(self._places)

    def find(self, fingerprint: int) -> int | None:
        """The number of an event; None where it is gone."""
        wanted = fingerprint & _MASK
        places = enumerate(self._places)
        return next((at for at, one in places if one.fingerprint & _MASK == wanted), None)

    def find_time(self, ts: int) -> int | None:
        """The number of the first event of a moment; None where there is none."""
        return next((at for at, one in enumerate(self._places) if one.ts == ts), None)

    def first_after(self, ts: int) -> int:
        """The number of the first event that is later than a moment; else one behind the last."""
        places = enumerate(self._places)
        return next((at for at, one in places if one.ts is not None and one.ts > ts), self.count)

    def next_error(self, number: int, by: int) -> int | None:
        """The number of the next event behind or before one that says something failed."""
        numbers = range(number + by, self.count if by > 0 else -1, by)
        return next((at for at in numbers if self._is_error(self._places[at])), None)

    @staticmethod
    def _is_error(placed: Placed) -> bool:
        return placed.is_error or (placed.event is not None and placed.event.is_error)

    def is_recalled(self, number: int) -> bool:
        """Whether an event was read from the agent's own log."""
        return self._places[number].event is not None

    def steps(self, start: int, stop: int) -> list[TimedEvent]:
        """Some events in order."""
        low, high = max(0, start - _REACH), min(self.count, stop + _REACH)
        around = [self._found.read(place) for place in self._places[low:high]]
        calls = {one.call_id: one for one in around if one.kind == TOOL_CALL and one.call_id}
        ends = {one.call_id: one.ts for one in around if one.kind == TOOL_RESULT and one.call_id}
        flavor = self.session.flavor
        keys = {at: f"{flavor}:{one.message_id}" for at, one in enumerate(around) if one.message_id}
        spent = self._tokens(list(keys.values()))
        found: list[TimedEvent] = []
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
            # A message's events stand together: the first of them bears what it took.
            key = keys.get(at)
            tokens = spent.get(key) if key and keys.get(at - 1) != key else None
            found.append(TimedEvent(event_of(self.session, number, event, tool), took, tokens))
        return found

    def stored(self, start: int) -> Iterator[StoredEvent]:
        """Events as the store has them, from one of them on."""
        return map(self._found.read, self._places[start:])

    def close(self) -> None:
        """Lets the pack go."""
        self._found.close()
