"""Follows a session event by event for what the rule of its notes looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from helix_tui.memory.notes.context import ContextMeter
from helix_tui.memory.notes.rule import NotesFacts
from helix_tui.schema import PROMPT, REPLY, THINKING, TOOL_CALL, TOOL_RESULT, StoredEvent

_MODELS = frozenset({REPLY, THINKING, TOOL_CALL})
# A provider runs these while it answers; what they found is in the answer, if anywhere.
_RUN_BY_PROVIDER = frozenset({"web_search", "x_search", "code_interpreter", "image_generation"})


class RequestUsage(NamedTuple):
    """What one request came to, and when; of agents that do not say in which message."""

    ts: int
    tokens: int


class Watch:
    """What is seen of a session behind the events so far, from its beginning or an update on.

    A call waits until its result comes, the turn is interrupted, or the model goes on without it:
    a result that a crash took away must not hold the notes back for ever.
    """

    def __init__(self, meter: ContextMeter | None = None, has_calls: bool = False) -> None:
        self.meter = meter or ContextMeter()
        self._has_calls = has_calls
        self._calls = 0
        self._pending: set[str] = set()
        self._message = ""
        self._is_given = True  # something was said to the model since it last spoke

    def step(self, event: StoredEvent, known: int | None = None) -> None:
        """Takes one event in, with what its request came to where that is known."""
        self.meter.step(event, known)
        kind, message = event.kind, event.message_id or ""
        if kind in _MODELS:
            is_same = message == self._message if message else not self._is_given
            if not is_same:
                self._pending.clear()
                self._has_calls = False
            self._message, self._is_given = message, False
            if kind == TOOL_CALL:
                self._has_calls = True
                self._calls += 1
                if event.call_id and event.tool not in _RUN_BY_PROVIDER:
                    self._pending.add(event.call_id)
        elif kind == TOOL_RESULT:
            self._pending.discard(event.call_id or "")
            self._is_given = True
        elif kind == PROMPT:
            self._is_given = True
        if event.fault == "interruption":
            self._pending.clear()

    def seen(self) -> NotesFacts:
        """What the rule looks at."""
        meter = self.meter
        return NotesFacts(
            meter.tokens, meter.base, self._calls, len(self._pending), self._has_calls
        )


def follow(
    watch: Watch,
    events: Iterable[StoredEvent],
    by_message: Mapping[str, int],
    requests: Sequence[RequestUsage] = (),
) -> None:
    """Steps over events; a request stands behind all that is not later than it."""
    latest, at = -(1 << 62), 0
    for event in events:
        latest = max(latest, event.ts if event.ts is not None else latest)
        while at < len(requests) and requests[at].ts < latest:
            watch.meter.know(requests[at].tokens)
            at += 1
        watch.step(event, by_message.get(event.message_id or ""))
    for request in requests[at:]:
        watch.meter.know(request.tokens)
