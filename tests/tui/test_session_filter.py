"""Sessions by name, day and cost, and by what was said in them as one types."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from helix_tui.schema import SearchHit, SearchResult, SessionFilter, Snippet
from helix_tui.tui.sessions.rows import line_of, place_lines, when_text
from helix_tui.tui.sessions.session_filter import parse_session_filter
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.made_sessions import made_session
from tests.tui.real import narrow, opened
from tests.tui.sitting import both_sizes

# A Wednesday.
NOW_MS = int(datetime(2026, 11, 18, 10, 30, tzinfo=UTC).timestamp() * 1000)
HOUR = 3_600_000
DAY = 24 * HOUR


def at(days_ago: float, hours: float = 1, **more: object) -> object:
    ended = int(NOW_MS - days_ago * DAY)
    return made_session(0, first_ts=int(ended - hours * HOUR), last_ts=ended, **more)


def fits(text: str, **session: object) -> bool:
    days = float(session.pop("days", 0))  # type: ignore[arg-type]
    made = at(days, float(session.pop("hours", 1)), **session)  # type: ignore[arg-type]
    wanted = parse_session_filter(text, NOW_MS)
    return bool(wanted.by_words(wanted.by_fields([line_of(made)])))  # type: ignore[arg-type]


class TestFields:
    """What can be asked of a session besides its words."""

    @pytest.mark.parametrize(
        ("text", "days", "is_in"),
        [
            ("on:tue", 1, True),
            ("on:tuesday", 1, True),
            ("on:tue", 2, False),
            ("on:yesterday", 1, True),
            ("on:2026-11-17", 1, True),
            ("on:last-wed", 7, True),
            ("on:last-wed", 0, False),
            ("since:mon", 2, True),
            ("since:mon", 3, False),
            ("since:7d", 6, True),
            ("until:mon", 2, True),
            ("until:mon", 1, False),
            ("!on:tue", 1, False),
        ],
    )
    def test_days(self, text: str, days: float, is_in: bool) -> None:
        assert fits(text, days=days) is is_in

    def test_a_session_is_of_every_day_it_was_at_work(self) -> None:
        assert fits("on:mon", days=0, hours=60)
        assert not fits("on:thu", days=0, hours=60)

    @pytest.mark.parametrize(
        ("number", "fitting"),
        [(50, ["cost:5", "cost:>4.5", "cost:>=5", "cost:5..6", "cost:4-6", "cost:$5"])],
    )
    def test_costs(self, number: int, fitting: list[str]) -> None:
        cost = made_session(number).cost
        assert all(fits(text, cost=cost) for text in fitting)
        assert not any(fits(text, cost=cost) for text in ("cost:<5", "cost:5.1", "cost:1..4"))

    def test_titles(self) -> None:
        assert fits("title:parser", title="Mend the parser")
        assert not fits("title:parser", title="Mend it", branch="parser")
        assert fits("parser", title="Mend it", branch="parser")

    def test_what_is_no_filter_is_named_and_stays_a_word(self) -> None:
        wanted = parse_session_filter("fix: feat:x on:soon cost:much http://x c:\\y", NOW_MS)
        assert wanted.mistakes == (
            "feat: is no filter",
            "on:soon is no day",
            "cost:much is no amount",
        )
        assert fits("feat:x", title="Feat:x of it")

    def test_what_was_said_is_searched_with_the_last_word_as_a_beginning(self) -> None:
        assert parse_session_filter("on:tue data bas").said == "data bas*"
        assert parse_session_filter("ab").said == ""
        assert parse_session_filter("data !bas").said == "data -bas"
        assert parse_session_filter('--no-verify "x').said == "no-verify  x*"


def test_days_have_names() -> None:
    texts = [when_text(NOW_MS - days * DAY, NOW_MS, 16) for days in (0, 1, 3, 20, 400)]
    assert texts == [
        "today 10:30",
        "yesterday 10:30",
        "Sun 10:30",
        "Thu 29 Oct 10:30",
        "2025-10-14 10:30",
    ]
    assert when_text(NOW_MS - 20 * DAY, NOW_MS, 11) == "Thu 29 Oct"
    assert when_text(1 << 62, NOW_MS, 16) == when_text(None, NOW_MS, 16) == "unknown"


class Searched(MadeSource):
    """Sessions of which one has been told of marmalade."""

    def __init__(self) -> None:
        super().__init__([made_reviewed(0)])
        self.made_sessions = [
            made_session(0, title="Make marmalade"),
            made_session(1, title="Another thing"),
            made_session(2, title="A third thing"),
        ]
        self.asked: list[str] = []

    def search(self, query: str, wanted: SessionFilter, limit: int) -> SearchResult:
        self.asked.append(query)
        text = f"{'so it went ' * 9}the marmalade is ready"
        mark = text.index("marmalade")
        snippet = Snippet("reply", 1, text, ((mark, mark + 9),))
        name = self.made_sessions[2].id
        return SearchResult(
            [SearchHit(name, "grok", None, "unknown", 1, 2, 1.0, 1, (snippet,))], 1, 0
        )


@both_sizes
async def test_a_search_as_one_types_shows_names_first_then_what_was_said(
    size: tuple[int, int],
) -> None:
    source = Searched()
    async with opened(source, "f3", size) as found:
        await found.until(lambda: "3 of 3" in found.text)
        await narrow(found, "marma")
        await found.until(lambda: "2 of 3" in found.text)
        lines = found.text.split("\n")
        assert "Make marmalade" in lines[3]
        assert "A third thing" in lines[4]
        assert source.asked == ["marma*"]
        await found.until(lambda: "Its line has the words" in found.text)
        await found.press("enter", "j")
        await found.until(lambda: "Places · 1 place in this session" in found.text)
        assert "the marmalade is ready" in found.text
        await found.press("escape")
        assert "Places" not in found.text
        assert "3 of 3" in found.text


async def test_what_is_no_filter_is_said() -> None:
    async with opened(Searched(), "f3", (120, 40)) as found:
        await found.until(lambda: "3 of 3" in found.text)
        await narrow(found, "colour:red")
        assert "colour: is no filter" in found.text
        await found.press("enter")
        await found.until(lambda: "There are flavor: repo: title:" in found.text)


def test_a_place_is_cut_so_that_its_mark_is_seen() -> None:
    hit = Searched().search("x", SessionFilter(), 1).hits[0]
    (line,) = place_lines(hit, 60)
    assert ("marmalade", "title") in line
    assert sum(len(text) for text, _ in line) <= 60
