"""When notes are begun and updated: the rule as a table, and what it looks at, event by event."""

from __future__ import annotations

import pytest

from helix_tui.memory.notes.context import ContextMeter
from helix_tui.memory.notes.rule import NotesFacts, decide
from helix_tui.memory.notes.watch import RequestUsage, Watch, follow
from helix_tui.schema import (
    COMPACTION,
    OTHER,
    PROMPT,
    REPLY,
    SYSTEM,
    THINKING,
    TOOL_CALL,
    TOOL_RESULT,
    Fault,
    StoredEvent,
)
from helix_tui.schema.memory import MemorySettings

SETTINGS = MemorySettings()
NEW, OLD = False, True


@pytest.mark.parametrize(
    ("is_begun", "context", "base", "calls", "pending", "has_calls", "action"),
    [
        (NEW, 0, 0, 0, 0, False, "wait"),
        (NEW, 9_999, 0, 40, 0, False, "wait"),
        (NEW, 10_000, 0, 0, 0, False, "begin"),
        (NEW, 10_000, 0, 0, 0, True, "begin"),  # calls do not matter for a beginning
        (NEW, 90_000, 0, 9, 1, True, "wait"),  # but a call that waits does
        (OLD, 14_999, 10_000, 9, 0, False, "wait"),
        (OLD, 15_000, 10_000, 3, 0, True, "update"),
        (OLD, 15_000, 10_000, 2, 0, True, "wait"),
        (OLD, 15_000, 10_000, 2, 0, False, "update"),  # the last turn has no call
        (OLD, 15_000, 10_000, 0, 0, False, "update"),
        (OLD, 15_000, 10_000, 0, 0, True, "wait"),
        (OLD, 15_000, 10_000, 3, 1, True, "wait"),  # between a call and its result
        (OLD, 15_000, 10_000, 0, 2, False, "wait"),
        (OLD, 9_000, 4_000, 3, 0, True, "update"),  # smaller than at first, but compacted
        (OLD, 8_999, 4_000, 3, 0, True, "wait"),
        (OLD, 3_000, 4_000, 9, 0, False, "wait"),
    ],
)
def test_thresholds(
    is_begun: bool,
    context: int,
    base: int,
    calls: int,
    pending: int,
    has_calls: bool,
    action: str,
) -> None:
    decision = decide(is_begun, NotesFacts(context, base, calls, pending, has_calls), SETTINGS)
    assert decision.action == action
    assert decision.reason


def test_settings_move_the_thresholds() -> None:
    small = SETTINGS._replace(
        minimum_tokens_to_init=10, minimum_tokens_between_update=5, tool_calls_between_updates=1
    )
    assert decide(NEW, NotesFacts(10, 0, 0, 0, False), small).action == "begin"
    assert decide(OLD, NotesFacts(15, 10, 1, 0, True), small).action == "update"


def test_reasons_have_the_figures() -> None:
    assert decide(NEW, NotesFacts(4_210, 0, 0, 0, False), SETTINGS).reason == (
        "the context has 4,210 tokens, notes begin at 10,000"
    )
    assert (
        "2 tool calls of 3" in decide(OLD, NotesFacts(20_000, 10_000, 2, 0, True), SETTINGS).reason
    )
    assert "1 tool call without" in decide(OLD, NotesFacts(20_000, 0, 2, 1, True), SETTINGS).reason


def event(
    kind: int,
    text: str = "",
    call: str | None = None,
    message: str | None = None,
    ts: int | None = None,
    fault: Fault | None = None,
    tool: str | None = None,
) -> StoredEvent:
    return StoredEvent(0, 0, ts, kind, False, None, tool, call, None, message, text, fault)


def watched(*events: StoredEvent) -> Watch:
    watch = Watch()
    for one in events:
        watch.step(one)
    return watch


CALL, RESULT = event(TOOL_CALL, call="a"), event(TOOL_RESULT, call="a")
OTHER_CALL = event(TOOL_CALL, call="b")


class TestCalls:
    """Calls are counted, and one that has no result yet is waited for."""

    @pytest.mark.parametrize(
        ("events", "pending"),
        [
            ([CALL], 1),
            ([CALL, RESULT], 0),
            ([CALL, OTHER_CALL, RESULT], 1),
            ([CALL, event(SYSTEM), event(OTHER)], 1),
            ([CALL, event(PROMPT, "are you there?")], 1),
            # The model goes on without it: the result was lost in a crash.
            ([CALL, event(PROMPT, "go on"), event(REPLY, "I will")], 0),
            ([CALL, event(SYSTEM, fault="interruption")], 0),
            ([event(TOOL_CALL, call="a", tool="web_search")], 0),
            # One message may have a result between its calls.
            (
                [
                    event(TOOL_CALL, call="a", message="m"),
                    event(TOOL_CALL, call="b", message="m"),
                    RESULT,
                    event(TOOL_CALL, call="c", message="m"),
                ],
                2,
            ),
            ([event(TOOL_CALL, call="a", message="m"), event(REPLY, message="n")], 0),
        ],
    )
    def test_pending(self, events: list[StoredEvent], pending: int) -> None:
        assert watched(*events).seen().pending_calls == pending

    @pytest.mark.parametrize(
        ("events", "has_calls"),
        [
            ([], False),
            ([event(PROMPT)], False),
            ([CALL, RESULT], True),
            ([event(REPLY), CALL, RESULT, event(SYSTEM)], True),
            ([CALL, RESULT, event(REPLY)], False),
            ([CALL, RESULT, event(THINKING), OTHER_CALL], True),
            ([CALL, RESULT, event(REPLY), event(PROMPT)], False),
        ],
    )
    def test_last_turn(self, events: list[StoredEvent], has_calls: bool) -> None:
        assert watched(*events).seen().has_calls_in_last_turn is has_calls

    def test_calls_are_counted(self) -> None:
        assert watched(CALL, RESULT, OTHER_CALL).seen().tool_calls == 2


class TestContext:
    """What the agent counted last, and four characters to a token of what came after it."""

    def test_estimate_without_usage(self) -> None:
        seen = watched(event(PROMPT, "x" * 41), event(REPLY, "y" * 8), event(OTHER, "z" * 400))
        assert seen.meter.tokens == 11 + 2

    def test_usage_replaces_the_estimate_once_per_message(self) -> None:
        watch = Watch()
        follow(
            watch,
            [
                event(PROMPT, "x" * 4_000),
                event(REPLY, "said", message="m"),
                event(TOOL_CALL, "given", call="a", message="m"),
                event(TOOL_RESULT, "r" * 400, call="a"),
                event(TOOL_CALL, "more", call="b", message="m"),
            ],
            {"m": 20_000},
        )
        assert watch.meter.tokens == 20_100

    def test_dated_requests_stand_behind_what_is_not_later(self) -> None:
        watch = Watch()
        events = [
            event(PROMPT, "x" * 400, ts=10),
            event(REPLY, "y" * 400, ts=20),
            event(PROMPT, "z" * 400, ts=30),
        ]
        follow(watch, events, {}, [RequestUsage(20, 5_000)])
        assert watch.meter.tokens == 5_100
        follow(watch, [], {}, [RequestUsage(40, 6_000)])
        assert watch.meter.tokens == 6_000

    def test_growth_is_measured_from_the_compacted_context(self) -> None:
        meter = ContextMeter(tokens=150_000, base=150_000, has_usage=True)
        meter.step(event(COMPACTION, "x" * 40), None)
        meter.step(event(SYSTEM, "s" * 40_000), None)
        assert meter.base == meter.tokens, "nobody has counted it yet: it grew by nothing"
        meter.know(30_000)
        meter.know(34_000)
        assert (meter.tokens, meter.base) == (34_000, 30_000)

    def test_growth_without_usage_is_measured_from_the_compaction(self) -> None:
        again = Watch(watched(event(PROMPT, "x" * 80_000)).meter.updated())
        again.step(event(COMPACTION, "x" * 400))
        again.step(event(PROMPT, "x" * 4_000))
        assert (again.meter.tokens, again.meter.base) == (1_100, 100)

    def test_base_follows_a_count_that_is_below_the_estimate(self) -> None:
        meter = ContextMeter(tokens=12_000, base=12_000)
        meter.know(11_000)
        assert meter.base == 11_000
