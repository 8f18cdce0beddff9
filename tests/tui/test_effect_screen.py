"""The effect screen: the verdict in words, the rate by week, and the sessions behind each point."""

from __future__ import annotations

import re

from helix_tui.schema.effect import EffectPoint, Unmeasured
from helix_tui.tui.catalog.rows import PatternRow
from helix_tui.tui.catalog.widget import PatternList
from helix_tui.tui.effect.plot import plot_lines, weeks_of
from helix_tui.tui.effect.screen import EffectScreen
from helix_tui.tui.sessions.screen import SessionsScreen
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.made_effects import HELPED, TOO_FEW, WORSE
from tests.tui.made_sessions import made_session
from tests.tui.sitting import Sitting, both_sizes, sitting


def measured() -> MadeSource:
    source = MadeSource([made_reviewed(0)])
    source.effects.made = [WORSE, TOO_FEW, HELPED]
    reason = "the store has none of its sessions\x1b[31m"
    source.effects.unmeasured = [Unmeasured("old-one", "An old one", reason)]
    return source


async def opened(found: Sitting) -> EffectScreen:
    await found.press("f8")
    await found.until(lambda: "┊" in found.text)
    screen = found.app.screen
    assert isinstance(screen, EffectScreen)
    return screen


@both_sizes
async def test_a_verdict_its_plot_and_both_sides(size: tuple[int, int]) -> None:
    async with sitting(size, source=measured()) as found:
        await opened(found)
        assert "Effect  4 of 4" in found.text
        assert "1 helped · 1 needs a look" in found.text
        assert "worse" in found.text
        assert "1 of 30 → 16 of 24" in found.text
        assert "not measured" in found.text
        assert "\x1b" not in found.text
        await found.press("j", "j")
        await found.until(lambda: "Helped" in found.text)
        await found.press("enter")
        await found.until(lambda: "x control" in found.text)
        for sign in ("●", "x", "│", "┊", "▼", "100%"):
            assert sign in found.text, sign
        assert "week of 2026-11-02, sessions: 0 of 6, 0% (0% to 46%)" in found.text
        await found.press("n")
        assert "the control: 2 of 5, 40% (5% to 85%); enter opens" in found.text
        await found.press("G")
        await found.until(lambda: "could: sessions that ran" in found.text)


async def test_each_point_opens_its_sessions() -> None:
    source = measured()
    source.made_sessions = [
        made_session(number, id=name)
        for number, name in enumerate([*WORSE.points[-2].sessions, "claude:other"])
    ]
    async with sitting(source=source) as found:
        await opened(found)
        await found.press("enter", "p")
        await found.until(lambda: "▼ week of 2026-10-26, sessions: 5 of 7" in found.text)
        await found.press("enter")
        await found.until(lambda: isinstance(found.app.screen, SessionsScreen))
        await found.until(lambda: "Sessions  7 of 7" in found.text)
        assert "push-rejected, week of 2026-10-26" in found.text
        await found.press("escape")
        await found.until(lambda: found.place == "effect")
        await found.press("n", "n", "n")
        assert "▼ week of 2026-11-02" in found.text


async def test_filter_order_copy_and_nothing_taught() -> None:
    async with sitting(source=measured()) as found:
        screen = await opened(found)
        await found.press("o")
        assert screen.order == "since"
        await found.press("slash", *"too", "enter")
        await found.until(lambda: "Effect  1 of 4" in found.text)
        assert "Read a file again" in found.text
        await found.press("y")
        assert found.app.clipboard == "helix effect edit-no-match"
    async with sitting(source=MadeSource([made_reviewed(0)])) as found:
        await found.press("f8")
        await found.until(lambda: "No pattern was taught yet" in found.text)
        await found.press("n")
        assert found.place == "effect"


def test_more_weeks_than_fit_leave_the_earliest_out() -> None:
    points = [
        EffectPoint(
            week=week, is_control=False, did=1, opportunities=2, rate=0.5, low=0.01, high=0.99,
            sessions=[],
        )
        for week in ("2024-01-01", "2026-11-02")
    ]  # fmt: skip
    weeks = weeks_of(points, 66)
    assert (len(weeks.mondays), weeks.mondays[-1]) == (20, "2026-11-02")
    assert weeks.left_out == 149 - 20
    assert not weeks_of([], 66).mondays
    assert not plot_lines([], [], None, 66, 9)
    for width, height in ((20, 5), (66, 9), (190, 18)):
        lines = plot_lines(points, HELPED.moments, points[1], width, height)
        assert len(lines) == height
        assert max(sum(len(text) for text, _ in line) for line in lines) <= width


def test_the_catalog_has_a_column_that_can_be_filtered() -> None:
    row = PatternRow("a", "A", "approved", "1.0.0", "problem", ("claude",), 3, 1, True)
    assert "no change" in row._replace(effect="no_change").words


def test_the_catalog_gives_its_room_to_titles() -> None:
    agents = ("claude", "codex", "gemini", "grok", "opencode")
    row = PatternRow("a", "A" * 66, "approved", "1.0.0", "problem", agents, 3, 1, True)
    for title, shown in (("A" * 66, "cl co +3"), ("A" * 40, "cl co ge gr op")):
        listed = PatternList()
        listed.show([row._replace(title=title, effect="no_change")])
        line = "".join(text for text, _ in listed.cells(0, 118))
        assert f"{title} " in line
        assert shown in line
        assert len(line) <= 117


def test_a_low_plot_has_halves_alone() -> None:
    point = EffectPoint(
        week="2026-11-02", is_control=False, did=1, opportunities=2, rate=0.5, low=0.01,
        high=0.99, sessions=[],
    )  # fmt: skip
    for height, wanted in ((9, ["100%", "50%", "0%"]), (14, ["100%", "75%", "50%", "25%", "0%"])):
        text = "\n".join("".join(t for t, _ in line) for line in
                         plot_lines([point], [], None, 60, height))  # fmt: skip
        assert re.findall(r"\d+%", text) == wanted
