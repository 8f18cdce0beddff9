"""The insight screen: plots, tables, and the sessions behind each figure."""

from __future__ import annotations

from helix_tui.report.layout import sections
from helix_tui.report.tables import report_of
from helix_tui.schema.report import Period, Report
from helix_tui.tui.insight.rows import cells_of, fitted, lines_of
from helix_tui.tui.insight.screen import InsightScreen
from helix_tui.tui.kit.bar_chart import chart_lines
from helix_tui.tui.sessions.screen import SessionsScreen
from tests.report.made import MONDAY, gathered, run, session, spent, wasting
from tests.tui.made import NOW, MadeSource, made_reviewed
from tests.tui.made_sessions import made_session
from tests.tui.sitting import Sitting, both_sizes, sitting


class Reported(MadeSource):
    """A store with a report of its own."""

    def __init__(self) -> None:
        super().__init__([made_reviewed(0)])
        self.made_sessions = [made_session(number) for number in range(6)]
        self.periods: list[Period] = []

    def report(self, period: Period) -> Report:
        self.periods.append(period)
        names = [one.id for one in self.made_sessions]
        sessions = [
            session(
                name,
                MONDAY + 7 * (at % 3),
                repo="web" if at else "api\x1b[31m",
                runs=(run("failed", 1),),
            )
            for at, name in enumerate(names)
        ]
        rows = [spent(name, at + 1, MONDAY + 7 * (at % 3)) for at, name in enumerate(names)]
        waste = [wasting("edit-no-match", 99, *names[:2])]
        return report_of(gathered(sessions, rows, waste=waste))


async def opened_insight(found: Sitting) -> InsightScreen:
    await found.press("f9")
    await found.until(lambda: isinstance(found.app.screen, InsightScreen))
    await found.until(lambda: "By week" in found.text)
    screen = found.app.screen
    assert isinstance(screen, InsightScreen)
    return screen


@both_sizes
async def test_shows_plots_and_tables_that_say_it_in_words_too(size: tuple[int, int]) -> None:
    async with sitting(size, source=Reported()) as found:
        await opened_insight(found)
        assert "6 sessions, 600 tokens, $21.00" in found.text
        assert "Cost by week, USD, most $9.00" in found.text
        assert "Tokens by week, most 200" in found.text
        assert "█" in found.text
        assert "\x1b" not in found.text


async def test_each_figure_opens_its_sessions() -> None:
    async with sitting(source=Reported()) as found:
        screen = await opened_insight(found)
        rows = screen.row_list.rows
        at = next(
            n for n, row in enumerate(rows) if row.section == "repos" and row.cells[0] == "web"
        )
        screen.row_list.move_to(at)
        await found.press("enter")
        await found.until(lambda: isinstance(found.app.screen, SessionsScreen))
        await found.until(lambda: "Sessions  5 of 5" in found.text)
        assert "by repository: web" in found.text
        await found.press("escape")
        assert found.place == "insight"


async def test_one_of_the_dearest_opens_as_its_transcript() -> None:
    async with sitting(source=Reported()) as found:
        screen = await opened_insight(found)
        rows = screen.row_list.rows
        at = next(n for n, row in enumerate(rows) if row.section == "sessions" and row.sessions)
        screen.row_list.move_to(at)
        await found.press("enter")
        await found.until(lambda: found.place == "transcript")


async def test_n_and_p_go_from_table_to_table_and_a_heading_opens_nothing() -> None:
    async with sitting(source=Reported()) as found:
        screen = await opened_insight(found)
        await found.press("n", "n")
        assert screen.current is not None
        assert (screen.current.section, screen.current.is_heading) == ("agents", True)
        await found.press("p", "enter")
        await found.until(lambda: "No session is behind this line" in found.text)
        assert found.place == "insight"


async def test_o_looks_at_another_time() -> None:
    source = Reported()
    async with sitting(source=source) as found:
        await opened_insight(found)
        await found.press("o")
        await found.until(lambda: len(source.periods) == 2)
        assert source.periods == [Period(None), Period(int(NOW) // 86_400 - 6)]
        await found.until(lambda: "the last 7 days ▼" in found.text)


async def test_a_filter_leaves_rows_with_their_headings() -> None:
    async with sitting(source=Reported()) as found:
        screen = await opened_insight(found)
        await found.press("slash", *"edit-no", "enter")
        assert [row.section for row in screen.row_list.rows] == ["waste", "waste"]


async def test_an_empty_store_says_what_to_press() -> None:
    async with sitting(count=1) as found:
        await found.press("f9")
        await found.until(lambda: "No session yet. s takes in" in found.text)


def test_what_does_not_fit_is_left_out_from_the_right() -> None:
    widths, bar_width = fitted((40, 4, 6, 8, 11, 13, 13), ("flex", *["right"] * 6), 76)
    assert (len(widths), bar_width) == (5, 0)
    assert widths[0] >= 36
    assert sum(widths) + 2 * len(widths) <= 76


def test_every_line_fits_every_width() -> None:
    report = Reported().report(Period())
    for line in lines_of(sections(report)):
        for width in range(40, 200, 7):
            assert sum(len(text) for text, _ in cells_of(line, width)) <= width


class TestChart:
    """Bars that can be read without colour."""

    def test_the_greatest_fills_the_height_and_the_least_is_seen(self) -> None:
        assert chart_lines([0, 1, 1000, 500], 8, 2) == ["    █   ", "  ▁ █ █ "]

    def test_the_last_ones_are_shown_where_there_is_no_room_for_all(self) -> None:
        assert chart_lines([9, 9, 9, 1, 2], 2, 1) == ["▄█"]

    def test_nothing_is_empty(self) -> None:
        assert chart_lines([], 4, 1) == ["    "]
        assert chart_lines([0, 0], 4, 1) == ["    "]
