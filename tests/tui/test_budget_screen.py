"""The budget screen: gauges, growth, and the eviction plan before it happens."""

from __future__ import annotations

import msgspec

from helix_tui.engine.status import Status
from helix_tui.schema import DiskUsage, Evictable, Eviction, RetentionPlan, RetentionReport
from helix_tui.tui.budget.rows import (
    gauge_lines,
    holdings_of,
    plan_title,
    sorted_holdings,
    summary_of,
)
from helix_tui.tui.budget.screen import BudgetScreen
from helix_tui.tui.review.screen import ReviewScreen
from helix_tui.tui.transcript.screen import TranscriptScreen
from tests.tui.made import NOW, MadeSource
from tests.tui.sitting import both_sizes, sitting

_DAY = 86_400_000
_NOW_MS = int(NOW * 1000)
_HOSTILE = "claude:\x1b[31mred[/b]\u202e" + "x" * 5_000


def held(number: int, days: float, **more: object) -> Evictable:
    made = Evictable(number, f"claude:s{number}", int(_NOW_MS - days * _DAY), 1 << 20, True, False)
    return msgspec.structs.replace(made, **more)


class Held(MadeSource):
    """A store with sessions, of which some go."""

    def __init__(self, sessions: list[Evictable], going: int = 0) -> None:
        super().__init__([])
        self.held = sessions
        self.going = going

    def retain(self, *, is_dry_run: bool) -> RetentionReport:
        assert is_dry_run
        status = self.status()
        evictions = tuple(
            Eviction(one.key, one.id, one.raw_bytes, "soft", "the oldest above the soft cap", False)
            for one in self.held[: self.going]
            if not self.pinned.get(one.id)
        )
        return RetentionReport(RetentionPlan(status.caps, status.usage, evictions), status.usage)

    def pin(self, name: str, *, is_pinned: bool) -> object:  # type: ignore[override]
        self.held = [
            msgspec.structs.replace(one, is_pinned=is_pinned) if one.id == name else one
            for one in self.held
        ]
        return super().pin(name, is_pinned=is_pinned)


def test_what_goes_comes_first_with_its_reason_then_what_would_go_next() -> None:
    sessions = [
        held(1, 50),
        held(2, 0.01),
        held(3, 30, is_pinned=True),
        held(4, 20, is_analyzed=False),
        held(5, 40),
        held(6, 60),
        held(7, 1, is_session=False),
    ]
    source = Held(sessions, going=1)
    rows = holdings_of(source.retain(is_dry_run=True), sessions, _NOW_MS)
    assert [(row.id, row.why) for row in rows] == [
        ("claude:s1", "the oldest above the soft cap"),
        ("claude:s6", "kept for now"),
        ("claude:s5", "kept for now"),
        ("claude:s3", "pinned"),
        ("claude:s4", "kept until it is analyzed"),
        ("claude:s2", "still growing"),
    ]
    assert [row.is_going for row in rows] == [True, *[False] * 5]
    assert sorted_holdings(rows, "age")[0].id == "claude:s6"


def test_a_loss_is_said_to_be_one() -> None:
    status = MadeSource([]).status()
    gone = Eviction(1, "claude:s1", 10, "hard", "not analyzed yet", True)
    report = RetentionReport(RetentionPlan(status.caps, status.usage, (gone,)), status.usage)
    assert "DATA LOSS" in plan_title(report, 1, 1)
    assert holdings_of(report, [], _NOW_MS)[0].is_loss


def test_months_without_sessions_are_shown_too_and_odd_times_do_no_harm() -> None:
    sessions = [held(1, 0), held(2, 95), held(3, 0, last_ts=None), held(4, 0, last_ts=1 << 62)]
    summary = summary_of(MadeSource([]).status(), None, [], sessions)
    assert [share.raw_bytes > 0 for share in summary.months] == [True, False, False, True]


def test_gauges_say_more_than_their_colour() -> None:
    status: Status = MadeSource([]).status()
    full = msgspec.structs.replace(status, usage=DiskUsage(status.caps.hard * 2, 600 << 20))
    text = "\n".join(
        "".join(part for part, _ in line)
        for line in gauge_lines(summary_of(full, None, [], []), 118)
    )
    assert "over its cap" in text
    assert "4.0 GiB of 2.0 GiB" in text


@both_sizes
def test_two_years_of_months_leave_room_for_what_is_said_of_them(size: tuple[int, int]) -> None:
    sessions = [held(number, number * 30.4, raw_bytes=1_023 << 20) for number in range(24)]
    found = summary_of(MadeSource([]).status(), None, [], sessions)
    lines = ["".join(part for part, _ in line) for line in gauge_lines(found, size[0] - 2)]
    (text,) = (line for line in lines if "by month" in line)
    assert text.endswith("1,023.0 MiB")
    assert len(text) <= size[0] - 2


@both_sizes
async def test_enter_opens_the_transcript_of_the_session_under_the_cursor(
    size: tuple[int, int],
) -> None:
    async with sitting(size, source=Held([held(1, 9), held(2, 8)])) as found:
        await found.press("f5")
        await found.until(lambda: "claude:s2" in found.text)
        await found.press("j", "enter")
        await found.until(lambda: isinstance(found.app.screen, TranscriptScreen))
        await found.until(lambda: "There is no session 'claude:s2'" in found.text)
        await found.press("escape")
        await found.until(lambda: isinstance(found.app.screen, BudgetScreen))


@both_sizes
async def test_it_shows_gauges_and_plan_and_pins_the_session_under_the_cursor(
    size: tuple[int, int],
) -> None:
    source = Held([held(number, 90 - number) for number in range(60)], going=3)
    async with sitting(size, source=source) as found:
        await found.press("2", "enter")
        await found.until(lambda: "evicts 3, frees 3.0 MiB" in found.text)
        assert "1.3 GiB of 2.0 GiB" in found.text
        assert "by month" in found.text
        assert "goes: the oldest" in found.text
        assert "claude:s59" not in found.text
        await found.press("j", "t")
        await found.until(lambda: source.pinned == {"claude:s1": True})
        await found.until(lambda: "evicts 2" in found.text)
        await found.press("slash", *"pinned", "enter")
        await found.until(lambda: "1 of 60" in found.text)
        assert "* claude:s1 " in found.text
        await found.press("t")
        await found.until(lambda: source.pinned == {"claude:s1": False})
        await found.until(lambda: "Nothing fits" in found.text)
        await found.press("escape", "o", "G", "g")
        await found.until(lambda: "size ▼" in found.text)
        await found.press("escape")
        assert isinstance(found.app.screen, ReviewScreen)


@both_sizes
async def test_an_empty_store_says_what_to_press(size: tuple[int, int]) -> None:
    async with sitting(size, count=0) as found:
        await found.press("f5")
        await found.until(lambda: "s takes in what is new" in found.text)
        await found.press("t", "y", "enter", "j", "G", "o")
        assert "No session is under the cursor." in found.text


async def test_without_a_store_nothing_fails() -> None:
    class Fresh(MadeSource):
        def has_store(self) -> bool:
            return not self.is_fresh

        is_fresh = False

    source = Fresh([])
    async with sitting(source=source) as found:
        source.is_fresh = True
        await found.press("f5")
        await found.until(lambda: "No raw bytes are kept" in found.text)
        assert found.app.jobs.failures == []


@both_sizes
async def test_hostile_names_are_shown_as_they_stand(size: tuple[int, int]) -> None:
    source = Held([held(1, 3, id=_HOSTILE)], going=1)
    async with sitting(size, source=source) as found:
        await found.press("f5")
        await found.until(lambda: "␛[31mred" in found.text)
        assert "\x1b" not in found.text
        assert "\u202e" not in found.text
        lines = found.text.split("\n")
        assert all(len(line) == size[0] for line in lines)


async def test_many_sessions_open_and_move_without_delay() -> None:
    source = Held([held(number, 1 + number / 1_000) for number in range(20_000)])
    async with sitting(source=source) as found:
        await found.press("f5")
        await found.until(lambda: "20,000 of 20,000" in found.text)
        await found.press("G")
        await found.until(lambda: "claude:s0 " in found.text)
