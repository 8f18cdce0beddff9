"""The workstation on a real home: titles have room, and a session is found in few keys."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from helix_tui.schema import DAY_MS, Session, SessionFilter
from helix_tui.tui.app import HelixApp
from helix_tui.tui.budget.rows import Holding
from helix_tui.tui.budget.widget import HoldingList
from helix_tui.tui.insight.rows import InsightLine
from helix_tui.tui.insight.widget import InsightList
from helix_tui.tui.jobs import Connection
from helix_tui.tui.kit.row_list import RowList
from helix_tui.tui.sessions.rows import fit_session_columns, short_name
from helix_tui.tui.sessions.screen import SessionsScreen
from helix_tui.tui.sessions.widget import SessionList
from tests.conftest import Workbench
from tests.corpus.conftest import OnSweptHome
from tests.tui.sitting import Sitting

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MOST_KEYS, _TRIES = 15, 10


@pytest.fixture(scope="module")
def home(on_swept_home: OnSweptHome, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return on_swept_home(Workbench(tmp_path_factory.mktemp("home")))


def app_on(bench: Workbench, now_ms: int = 0) -> HelixApp:
    connection = Connection(bench.engine(), ["true"])
    return HelixApp(lambda: connection, clock=lambda: now_ms / 1000)


async def test_few_titles_are_cut_at_120_columns(home: Workbench) -> None:
    app = app_on(home)
    async with app.run_test(size=(120, 40)) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: found.current)
        await pilot.pause()
        candidates, table = found.review.candidates, found.review.table
        rows = [row for at in range(len(table.shown)) if (row := table.at(at)) is not None]
        cut = [row.title for row in rows if candidates.cuts(row)]
        assert rows
        assert len(cut) <= len(rows) / 10, cut
        # What is not said to be cut is on the screen with its end.
        assert rows[0].title.split()[-1] in found.text

        await found.press("f3")
        await found.until(lambda: "154 of 154" in found.text)
        sessions = found.app.screen.query_one(SessionList)
        room = fit_session_columns(sessions.size.width, sessions.title_width).title - 1
        names = [short_name(row.session) for row in sessions.rows]
        assert sum(len(name) > room for name in names) <= len(names) / 10

        for key, widget in (("f5", HoldingList), ("f9", InsightList)):
            await found.press("escape", key)
            await found.until(lambda: found.app.screen.query(widget))  # noqa: B023
            shown: RowList[Any] = found.app.screen.query_one(widget)
            await found.until(lambda: shown.rows)  # noqa: B023
            lines = [(row, line_of(shown, at)) for at, row in enumerate(shown.rows)]
            titles = [(name_of(row), line) for row, line in lines if name_of(row)]
            assert sum(name not in line for name, line in titles) <= len(titles) / 10, key


def line_of(rows: RowList[Any], index: int) -> str:
    return "".join(text for text, _ in rows.cells(index, rows.size.width - 1))


def name_of(row: Holding | InsightLine) -> str:
    """What a row of the budget or of a report is called; empty for what is no row."""
    if isinstance(row, Holding):
        return row.title
    return "" if row.is_heading or len(row.cells) == 1 else row.cells[0]


def ten_of(sessions: list[Session]) -> list[Session]:
    """Sessions by hash, with a title and a day of their own."""
    asked = [one for one in sessions if one.parent is None and one.title and one.last_ts]
    asked.sort(key=lambda one: hashlib.sha256(one.id.encode()).digest())
    return asked[:_TRIES]


def remembered(session: Session) -> str:
    """The word of a title that somebody remembers: the longest."""
    words = "".join(one if one.isalnum() else " " for one in (session.title or "").lower()).split()
    return max(words, key=len)


async def keys_to(found: Sitting, session: Session) -> int:
    """Press keys as somebody who knows the day and a word, until the cursor is on a session.

    Each key is looked at: as soon as the cursor can go down to it in the keys that are left, it
    goes there.
    """
    assert session.last_ts is not None
    await found.press("f3")
    await found.until(lambda: isinstance(found.app.screen, SessionsScreen))
    screen = found.app.screen
    assert isinstance(screen, SessionsScreen)
    await found.until(lambda: screen.row_list.is_loaded and screen.current is not None)
    await found.press("slash")
    day = _WEEKDAYS[(session.last_ts // DAY_MS + 3) % 7]
    typed = f"on:{day} {remembered(session)}"
    keys = len(["f3", "/"])
    for at, letter in enumerate(typed):
        await found.pilot.press("space" if letter == " " else "colon" if letter == ":" else letter)
        keys += 1
        if at < len("on:mon") - 1:
            continue
        await found.until(lambda: not screen._searching)
        await found.pilot.pause(0.05)
        shown = [row.id for row in screen.row_list.rows]
        if session.id in shown and keys + 1 + shown.index(session.id) <= _MOST_KEYS:
            await found.press("enter", *"j" * shown.index(session.id))
            keys += 1 + shown.index(session.id)
            break
    assert screen.current is not None
    assert screen.current.id == session.id, (typed, found.text)
    return keys


async def test_what_was_done_last_tuesday_is_found_in_few_keys(home: Workbench) -> None:
    for session in ten_of(home.engine().sessions(SessionFilter())):
        assert session.last_ts is not None
        # Some days after it ended, before its weekday comes again.
        app = app_on(home, session.last_ts // DAY_MS * DAY_MS + 6 * DAY_MS)
        async with app.run_test(size=(120, 40)) as pilot:
            found = Sitting(app, None, pilot)
            await found.until(lambda: found.review.candidates.is_loaded)  # noqa: B023
            assert await keys_to(found, session) <= _MOST_KEYS, session.title
