"""Follow a session event by event, for the figures that the rule of its notes needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from helix_tui.memory.notes.context import ContextMeter
from helix_tui.memory.notes.rule import NotesFacts
from helix_tui.schema import PROMPT, REPLY, THINKING, TOOL_CALL, TOOL_RESULT, StoredEvent

_MODELS = frozenset({REPLY, THINKING, TOOL_CALL})
# The provider runs these while it answers; their results are in the answer, if anywhere.
_RUN_BY_PROVIDER = frozenset({"web_search", "x_search", "code_interpreter", "image_generation"})


class RequestUsage(NamedTuple):
    """The tokens and time of a request, of agents that do not name its message."""

    ts: int
    tokens: int


class Watch:
    """What is known of a session after the events so far, from its beginning or the last update.

    A call waits until its result comes, the turn is interrupted, or the model goes on without it:
    a result lost in a crash must not hold the notes back for ever.
    """

    def __init__(self, meter: ContextMeter | None = None, has_calls: bool = False) -> None:
        self.meter = meter or ContextMeter()
        self._has_calls = has_calls
        self._calls = 0
        self._pending: set[str] = set()
        self._message = ""
        self._has_input = True  # the model got something new since it last spoke

    def step(self, event: StoredEvent, request_tokens: int | None = None) -> None:
        """Count an event, with the size of its request where that is known."""
        self.meter.step(event, request_tokens)
        kind, message = event.kind, event.message_id or ""
        if kind in _MODELS:
            is_same = message == self._message if message else not self._has_input
            if not is_same:
                self._pending.clear()
                self._has_calls = False
            self._message, self._has_input = message, False
            if kind == TOOL_CALL:
                self._has_calls = True
                self._calls += 1
                if event.call_id and event.tool not in _RUN_BY_PROVIDER:
                    self._pending.add(event.call_id)
        elif kind == TOOL_RESULT:
            self._pending.discard(event.call_id or "")
            self._has_input = True
        elif kind == PROMPT:
            self._has_input = True
        if event.fault == "interruption":
            self._pending.clear()

    def seen(self) -> NotesFacts:
        """The facts that the rule decides by."""
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
    """Step over events; a request covers all events that are not later than it."""
    latest, at = -(1 << 62), 0
    for event in events:
        latest = max(latest, event.ts if event.ts is not None else latest)
        while at < len(requests) and requests[at].ts < latest:
            watch.meter.know(requests[at].tokens)
            at += 1
        watch.step(event, by_message.get(event.message_id or ""))
    for request in requests[at:]:
        watch.meter.know(request.tokens)
