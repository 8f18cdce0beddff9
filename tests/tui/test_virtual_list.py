"""A list of 100,000 rows: it opens as fast as one of 100, and a key draws two lines."""

from __future__ import annotations

import time
from collections.abc import Hashable
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from textual.app import App, ComposeResult
from textual.strip import Strip

from helix_tui.tui.kit.candidate_row import rows_of
from helix_tui.tui.kit.lines import strip_of
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.review.candidate_filter import parse_filter
from helix_tui.tui.review.list_state import ListState
from tests.tui.made import decided, made_listed

pytestmark = pytest.mark.drawn
MANY = 100_000


class Numbers(VirtualList):
    """Rows that count how often they are drawn."""

    drawn = 0

    def row_key(self, index: int) -> Hashable:
        return index

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        self.drawn += 1
        return strip_of(self, [(f"{'>' if is_cursor else ' '} row {index}", "plain")], width)


class NumbersApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Numbers()


def shown(app: App[None]) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


async def test_only_what_is_seen_is_drawn() -> None:
    app = NumbersApp()
    async with app.run_test(size=(40, 20)) as pilot:
        rows = app.query_one(Numbers)
        rows.rows_changed(MANY)
        await pilot.pause()
        assert rows.drawn <= 40
        before = rows.drawn
        rows.move(1)
        await pilot.pause()
        assert rows.drawn - before <= 2
        assert "> row 1 " in shown(app)
        rows.move_to(MANY - 1)
        await pilot.pause()
        assert f"> row {MANY - 1}" in shown(app)
        rows.move(10)
        rows.move_page(-1)
        await pilot.pause()
        assert f"> row {MANY - 20}" in shown(app)
        assert rows.drawn < 100


class Pairs(Numbers):
    """Every third row has a second line."""

    def row_height(self, index: int, width: int) -> int:
        return 1 if index % 3 else 2

    def lower_strip(self, index: int, line: int, width: int, *, is_cursor: bool) -> Strip:
        return strip_of(self, [(f"  more of {index}", "plain")], width)


class PairsApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Pairs()


async def test_a_row_of_two_lines_is_in_sight_with_both_of_them() -> None:
    app = PairsApp()
    async with app.run_test(size=(40, 10)) as pilot:
        rows = app.query_one(Pairs)
        rows.rows_changed(MANY)
        await pilot.pause()
        first = [line[:11].rstrip() for line in shown(app).split("\n")[:4]]
        assert first == ["> row 0", "  more of 0", "  row 1", "  row 2"]
        for row in range(40):
            rows.move_to(row)
            await pilot.pause()
            assert f"> row {row} " in shown(app)
            assert row % 3 or f"more of {row} " in shown(app)
        rows.move_to(MANY - 1)
        await pilot.pause()
        last = MANY - 1
        assert f"> row {last}" in shown(app)
        assert f"more of {last}" in shown(app)
        assert shown(app).split("\n")[-1].startswith(f"  more of {last}")
        rows.move_to(0)
        await pilot.pause()
        await pilot.click(Pairs, offset=(3, 4))
        assert rows.cursor == 3
        await pilot.click(Pairs, offset=(3, 5))
        assert rows.cursor == 3
        assert rows.drawn < 400


async def test_the_cursor_stays_in_what_is_left() -> None:
    app = NumbersApp()
    async with app.run_test(size=(40, 20)) as pilot:
        rows = app.query_one(Numbers)
        rows.rows_changed(50)
        rows.move_to(49)
        await pilot.pause()
        rows.rows_changed(10)
        await pilot.pause()
        assert rows.cursor == 9
        assert "> row 9" in shown(app)
        rows.rows_changed(0)
        await pilot.pause()
        assert rows.cursor == 0
        assert "row" not in shown(app)


@pytest.fixture(scope="module")
def sheets() -> tuple[ListState, ListState]:
    found = []
    one = made_listed(1)
    for count in (1_000, MANY):
        briefs = (replace(one.brief, id=f"problem-{at:06}") for at in range(count))
        table = ListState()
        table.load(rows_of(replace(one, brief=brief) for brief in briefs))
        found.append(table)
    return found[0], found[1]


def test_a_verdict_among_many_rows_takes_a_few_milliseconds(
    sheets: tuple[ListState, ListState],
) -> None:
    _, many = sheets
    took = []
    for number in range(20):
        began = time.process_time()
        before = decided(many, f"problem-{number * 4000:06}", "rejected")
        many.put([before])
        took.append(time.process_time() - began)
    assert sorted(took)[10] < 0.03


def test_a_filter_that_goes_on_looks_only_at_what_is_left(
    sheets: tuple[ListState, ListState],
) -> None:
    _, many = sheets
    for text in ("t", "to", "tool", "tool 1", "tool 1 !x"):
        many.narrow(parse_filter(text))
        narrowed = list(many.shown)
        many.narrow(parse_filter(""))
        many.narrow(parse_filter(text))
        assert many.shown == narrowed


class Words(VirtualList):
    """Rows whose lines are counted as the screen asks for them."""

    def __init__(self) -> None:
        super().__init__()
        self.words = [f"word {number}" for number in range(60)]
        self.asked = 0

    def row_key(self, index: int) -> Hashable:
        return self.words[index]

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        return strip_of(
            self, [(f"{'>' if is_cursor else ' '} {self.words[index]}", "plain")], width
        )

    def render_line(self, y: int) -> Strip:
        self.asked += 1
        return super().render_line(y)


class WordsApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Words()


async def test_of_other_rows_those_lines_are_drawn_that_look_otherwise() -> None:
    app = WordsApp()
    async with app.run_test(size=(40, 20)) as pilot:
        rows = app.query_one(Words)
        rows.rows_changed(60)
        await pilot.pause()
        rows.asked = 0
        rows.words[3] = "another"
        rows.rows_changed(60, 1)
        await pilot.pause()
        assert rows.asked == 3  # the one that changed, and the two that the cursor left and came to
        assert "> word 1 " in shown(app)
        assert "  another " in shown(app)
        del rows.words[0]
        rows.rows_changed(59)
        await pilot.pause()
        assert "> word 2 " in shown(app)
        assert "word 0" not in shown(app)
        rows.words.clear()
        rows.rows_changed(0)
        await pilot.pause()
        assert "word" not in shown(app)


async def test_a_layout_that_changes_nothing_draws_no_scrollbar() -> None:
    app = NumbersApp()
    async with app.run_test(size=(40, 20)) as pilot:
        rows = app.query_one(Numbers)
        rows.rows_changed(MANY)
        await pilot.pause()
        with patch.object(rows.vertical_scrollbar, "refresh") as refresh:
            app.screen.refresh(layout=True)
            await pilot.pause()
            assert not refresh.called
            await pilot.resize_terminal(40, 12)
            await pilot.pause()
            assert refresh.called
