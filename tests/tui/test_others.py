"""The workstation and others at one journal: what is stale is refused, what is new is noticed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.journal.journal import Journal
from helix_tui.engine import Engine
from helix_tui.errors import OutOfSpaceError
from helix_tui.tui.app import HelixApp
from helix_tui.tui.jobs import Connection
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.review import watching
from tests.conftest import Workbench
from tests.engine.trouble_log import write_troubled
from tests.tui.sitting import Sitting

SIZE = (140, 40)


@pytest.fixture
def swept(bench: Workbench) -> Workbench:
    write_troubled(bench)
    bench.sweep()
    return bench


@asynccontextmanager
async def at_work(bench: Workbench) -> AsyncIterator[Sitting]:
    """A sitting on a real store."""
    app = HelixApp(lambda: Connection(bench.engine(), ["true"]))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: found.current)
        yield found


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks what others do: what is shown stays as it was."""
    monkeypatch.setattr(watching.Watching, "look", lambda _: None)


def lines(bench: Workbench) -> list[tuple[str, str]]:
    read = Journal(bench.store / "review" / "journal.jsonl").lines().lines
    return [(line.action, line.candidate) for line in read if line.action != "edit"]


def other(bench: Workbench) -> Engine:
    """Somebody else, in another process as far as the journal can tell."""
    return bench.engine()


def reword(bench: Workbench, name: str) -> None:
    """Gives a page another title, as somebody does with an editor."""
    page = bench.store / "catalog" / f"{name}.md"
    page.write_text(re.sub(r"(?m)^# .*$", "# Said otherwise", page.read_text(), count=1))


def told(found: Sitting) -> str:
    """What the toasts say, which break their lines."""
    return " ".join(one.message for one in found.app._notifications)


def row(found: Sitting, name: str) -> ReviewRow:
    got = found.review.table.row(name)
    assert got is not None
    return got


@pytest.mark.usefixtures("unwatched")
@pytest.mark.parametrize("key", ["r", "a", "d", "w"])
async def test_a_verdict_on_what_somebody_else_decided_is_refused_with_what_changed(
    swept: Workbench, key: str
) -> None:
    async with at_work(swept) as found:
        name = found.current
        other(swept).verdicts.reject(name, note="a duplicate")
        typed = {"d": [*"why", "enter"], "w": [*"2w", "enter"]}.get(key, [])
        await found.press(key, *typed)
        await found.until(lambda: "has changed since you looked" in told(found))
        assert "rejected it at" in told(found)
        assert "/verdict:all lists what is decided" in told(found)
        assert lines(swept) == [("reject", name)]
        assert row(found, name).verdict == "rejected"
        assert (found.current == name) == (key == "d"), "a note leaves the cursor on it"
        assert found.app.deciding.steps == []
        if typed:
            kept = found.app.deciding.unsent[name]
            assert (kept.note or kept.until) == {"d": "why", "w": "2w"}[key]


@pytest.mark.usefixtures("unwatched")
async def test_an_approve_into_another_is_not_overridden_by_a_stale_list(swept: Workbench) -> None:
    async with at_work(swept) as found:
        name, into = found.review.table.shown[:2]
        other(swept).verdicts.approve(into, look="page")
        other(swept).verdicts.approve(name, into=into, look="page")
        await found.press("r")
        await found.until(lambda: f"approved it into {into}" in told(found))
        assert lines(swept) == [("approve", into), ("approve", name)]


@pytest.mark.usefixtures("unwatched")
async def test_what_was_merged_elsewhere_is_told_and_verdicts_on_others_go_through(
    swept: Workbench,
) -> None:
    async with at_work(swept) as found:
        first, second, third = found.review.table.shown[:3]
        other(swept).verdicts.merge(second, [first])
        await found.press("r")
        await found.until(lambda: f"merged it into {second}" in told(found))
        assert found.current == second
        await found.press("j", "r")
        await found.until(lambda: lines(swept)[1:] == [("reject", third)])


@pytest.mark.usefixtures("unwatched")
async def test_a_page_that_was_edited_meanwhile_is_told(swept: Workbench) -> None:
    name = swept.engine().candidates.listing().listed[0].brief.id
    swept.engine().verdicts.approve(name, look="page")
    async with at_work(swept) as found:
        await found.press("slash", *"verdict:all", "enter", "g")
        assert found.current == name
        reword(swept, name)
        await found.press("r")
        await found.until(lambda: f"its page {name} was changed by hand" in told(found))
        assert lines(swept) == [("approve", name)]
        await found.press("g", "r")
        await found.until(lambda: lines(swept)[1:] == [("reject", name)])


@pytest.mark.usefixtures("unwatched")
async def test_one_s_own_verdicts_are_no_news_however_fast_they_come(swept: Workbench) -> None:
    async with at_work(swept) as found:
        await found.past_words()
        name = found.current
        await found.press("d", *"why", "enter", "d", *"why else", "enter", "r", "u", "a")
        await found.until(lambda: len(lines(swept)) == 5)
        actions = [action for action, _ in lines(swept)]
        assert actions == ["discuss", "discuss", "reject", "undo", "approve"]
        assert {candidate for _, candidate in lines(swept)} == {name}


@pytest.mark.usefixtures("unwatched")
async def test_undo_takes_back_no_verdict_that_its_author_has_not_seen(swept: Workbench) -> None:
    first, second = (one.brief.id for one in swept.engine().candidates.listing().listed[:2])
    swept.engine().verdicts.reject(first)
    async with at_work(swept) as found:
        other(swept).verdicts.reject(second)
        await found.press("u")
        await found.until(lambda: "given since you looked" in told(found))
        assert lines(swept) == [("reject", first), ("reject", second)]
        await found.until(lambda: row(found, second).verdict == "rejected")
        await found.press("u")
        await found.until(lambda: lines(swept)[2:] == [("undo", second)])


@pytest.mark.usefixtures("unwatched")
async def test_what_somebody_else_took_back_already_does_not_hold_up_undo(swept: Workbench) -> None:
    async with at_work(swept) as found:
        first = found.current
        await found.press("r")
        await found.until(lambda: lines(swept) == [("reject", first)])
        second = found.current
        await found.press("r")
        await found.until(lambda: len(lines(swept)) == 2)
        other(swept).verdicts.undo()
        await found.press("u")
        await found.until(lambda: "taken back already" in told(found))
        await found.press("u")
        await found.until(lambda: lines(swept)[3:] == [("undo", first)])
        assert lines(swept)[2] == ("undo", second)


class TestNoticed:
    """What others do is on the screen within two seconds, and is told once."""

    async def _noticed(self, found: Sitting, is_so: Callable[[], object]) -> None:
        assert watching.SECONDS_BETWEEN_LOOKS < 1, "else it is not within two seconds"
        await found.until(is_so)

    async def test_a_verdict_of_another_process(self, swept: Workbench) -> None:
        async with at_work(swept) as found:
            _, second, third = found.review.table.shown[:3]
            await found.press("j", "j")
            other(swept).verdicts.reject(second)
            await self._noticed(found, lambda: row(found, second).verdict == "rejected")
            assert second not in found.review.table.shown
            await found.until(lambda: "gave a verdict elsewhere" in told(found))
            assert found.current == third
            await found.press("r")
            await found.until(lambda: lines(swept)[1:] == [("reject", third)])

    async def test_the_row_under_the_cursor_stays_there_and_shows_how_it_stands(
        self, swept: Workbench
    ) -> None:
        async with at_work(swept) as found:
            name = found.current
            other(swept).verdicts.snooze(name, "2w")
            await self._noticed(found, lambda: row(found, name).verdict == "snoozed")
            assert found.current == name, "the next key hits what is under the cursor"
            await found.press("r")
            await found.until(lambda: lines(swept)[1:] == [("reject", name)])

    async def test_a_page_that_somebody_edited(self, swept: Workbench) -> None:
        name = swept.engine().candidates.listing().listed[0].brief.id
        swept.engine().verdicts.approve(name, look="page")
        async with at_work(swept) as found:
            reword(swept, name)
            await self._noticed(found, lambda: f"{name} was changed in the catalog" in told(found))

    async def test_own_verdicts_are_read_again_by_nobody(self, swept: Workbench) -> None:
        async with at_work(swept) as found:
            told: list[object] = []
            found.review.show_news = told.append  # type: ignore[method-assign,assignment]
            await found.past_words()
            await found.press("r", "a")
            await found.until(lambda: len(lines(swept)) == 2)
            await asyncio.sleep(3 * watching.SECONDS_BETWEEN_LOOKS)
            assert told == []


async def test_a_page_that_cannot_be_written_behind_the_line_is_told(
    swept: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> list[object]:
        raise OutOfSpaceError("the disk is full.", "Make room.")

    async with at_work(swept) as found:
        await found.press("slash", *"yaml", "enter")
        name, page = found.current, swept.store / "catalog" / f"{found.current}.md"
        with monkeypatch.context() as context:
            context.setattr(Catalog, "apply", full)
            await found.press("a")
            await found.until(lambda: "its files will follow" in told(found))
        assert lines(swept) == [("approve", name)]
        assert row(found, name).verdict == "approved", "the verdict stands"
        assert any("its files will follow" in one.reason for one in found.app.jobs.failures)
        assert not page.exists()
        await found.press("escape", "d", *"why", "enter")
        await found.until(page.exists)
