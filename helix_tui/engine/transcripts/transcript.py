"""Read any stretch of a transcript, however long it is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

from helix_tui.digest.harness import fault_of
from helix_tui.schema import (
    KINDS,
    OTHER,
    PROMPT,
    SYSTEM,
    TOOL_CALL,
    TOOL_RESULT,
    Session,
    SessionEvent,
    StoredEvent,
)
from helix_tui.tools import tool_class

if TYPE_CHECKING:
    from helix_tui.engine.transcripts.recall import Recalled
    from helix_tui.store.packs.transcript import Placed, Transcript

# What is shown of a transcript: all of it, what was said and done, or what failed.
Selection = Literal["all", "told", "errors"]
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
        self._shown: Sequence[int] = range(len(self._places))

    @property
    def count(self) -> int:
        """The number of events that are shown."""
        return len(self._shown)

    @property
    def total(self) -> int:
        """The number of all events."""
        return len(self._places)

    def selected(self, selection: Selection) -> Reading:
        """The same session with some of its events; numbers are those of what is shown."""
        other = copy(self)
        if selection == "all":
            other._shown = range(len(self._places))
            return other
        is_shown = self._is_error if selection == "errors" else self._is_told
        numbers = [at for at, place in enumerate(self._places) if is_shown(place)]
        whole = len(numbers) == len(self._places)
        other._shown = range(len(numbers)) if whole else numbers
        return other

    def place_of(self, number: int) -> int:
        """Where among all events one stands that is shown."""
        return self._shown[number]

    def nearest(self, place: int) -> int:
        """The shown event at a place among all, or the next one behind it."""
        return max(0, min(bisect_left(self._shown, place), self.count - 1))

    def find(self, fingerprint: int) -> int | None:
        """Return the number of an event; None where it is gone or not shown."""
        wanted = fingerprint & _MASK
        return self._first(lambda place: place.fingerprint & _MASK == wanted)

    def find_time(self, ts: int) -> int | None:
        """Return the number of the first event at a time; None where there is none."""
        return self._first(lambda place: place.ts == ts)

    def _first(self, is_so: Callable[[Placed], bool]) -> int | None:
        places = self._places
        return next((n for n, at in enumerate(self._shown) if is_so(places[at])), None)

    def first_after(self, ts: int) -> int:
        """Return the number of the first event after a time; else the count of events."""
        number = self._first(lambda place: place.ts is not None and place.ts > ts)
        return self.count if number is None else number

    def next_error(self, number: int, by: int) -> int | None:
        """Return the number of the next failed event in a direction; None where there is none."""
        return self._next(number, by, self._is_error)

    def next_prompt(self, number: int, by: int) -> int | None:
        """Return the number of the next prompt in a direction; None where there is none."""
        return self._next(number, by, lambda place: place.kind == PROMPT)

    def next_with(
        self, number: int, by: int, words: str, cancelled: Callable[[], bool]
    ) -> int | None:
        """Return the number of the next event whose text has the words, from end to beginning.

        Capitals do not count. All that is shown is read for it, until `cancelled()` is true.
        """
        wanted = words.lower()

        def has_words(place: Placed) -> bool:
            return cancelled() or wanted in self._stored.read(place).text.lower()

        found = self._next(number, by, has_words)
        if found is None:
            around = -1 if by > 0 else self.count
            found = self._next(around, by, has_words)
        return None if cancelled() else found

    def _next(self, number: int, by: int, is_so: Callable[[Placed], bool]) -> int | None:
        numbers = range(number + by, self.count if by > 0 else -1, by)
        return next((at for at in numbers if is_so(self._places[self._shown[at]])), None)

    @staticmethod
    def _is_error(placed: Placed) -> bool:
        return placed.is_error

    @staticmethod
    def _is_told(placed: Placed) -> bool:
        """Whether somebody said or did it; the rest is the client's own book-keeping."""
        return placed.is_error or placed.kind not in (SYSTEM, OTHER)

    def is_recalled(self, number: int) -> bool:
        """Whether an event was read from the agent's own log."""
        return self._places[self._shown[number]].event is not None

    def steps(self, start: int, stop: int) -> list[TimedEvent]:
        """Read a range of the shown events in order."""
        wanted = self._shown[start:stop]
        timed: list[TimedEvent] = []
        for _, run in groupby(enumerate(wanted), key=lambda pair: pair[1] - pair[0]):
            places = [place for _, place in run]
            timed += self._steps(places[0], places[-1] + 1)
        return timed

    def _steps(self, start: int, stop: int) -> list[TimedEvent]:
        """Read a range of all events, with the calls and results around it."""
        low, high = max(0, start - _REACH), min(self.total, stop + _REACH)
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
