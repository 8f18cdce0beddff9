"""The last verdicts: what taking each back would restore, and that it does."""

from __future__ import annotations

from helix_tui.tui.kit.frame import PaneTitle
from helix_tui.tui.undo.screen import UndoScreen, VerdictList
from tests.conftest import Workbench
from tests.tui.at_work import AtWork, at_work
from tests.tui.sitting import both_sizes


async def open_undo(found: AtWork) -> VerdictList:
    await found.press("U")
    await found.until(lambda: isinstance(found.app.screen, UndoScreen))
    rows = found.app.screen.query_one(VerdictList)
    await found.until(lambda: rows.is_loaded)
    return rows


@both_sizes
async def test_any_of_the_last_verdicts_is_taken_back(
    sampled: Workbench, size: tuple[int, int]
) -> None:
    async with at_work(sampled, size) as found:
        await found.past_words()
        at = found.review.table.shown.index(found.current)
        one, two, three = found.review.table.shown[at : at + 3]
        await found.press("a", "r", "r")
        await found.until(lambda: len(found.lines) == 3 and found.page(one).exists())
        await open_undo(found)
        assert found.app.screen.query_one("#verdicts-title", PaneTitle).is_active
        await found.sees("Last verdicts", "approve", "reject", "is open again")
        await found.press("j", "j")
        await found.sees(f"{one} 1.0.0 is taken out of the catalog.")
        await found.press("enter")
        await found.until(lambda: found.verdicts[-1] == ("undo", one))
        await found.until(lambda: not found.page(one).exists())
        await found.press("g", "u")
        await found.until(lambda: found.verdicts[-1] == ("undo", three))
        await found.press("escape")
        await found.until(lambda: {one, three} <= set(found.review.table.shown))
        assert two not in found.review.table.shown
        await found.press("u")
        await found.until(lambda: found.verdicts[-1] == ("undo", two))
        await found.press("u")
        await found.sees("There is no verdict to take back")


@both_sizes
async def test_what_an_update_restores_is_told(sampled: Workbench, size: tuple[int, int]) -> None:
    async with at_work(sampled, size) as found:
        name = found.current
        verdicts = found.engine.verdicts
        verdicts.approve(name, look="page")
        await found.until(lambda: found.page(name).exists())
        first = found.page(name).read_text()
        page = verdicts.preview(name).page
        verdicts.approve(
            name,
            words=page.replace("## Problem\n\n", "## Problem\n\nX. "),
            shown=page,
            look="page",
        )
        await found.until(lambda: found.page(name).read_text() != first)
        await open_undo(found)
        await found.sees(f"{name} is 1.0.0 again", "is approved again")
        await found.press("u")
        await found.until(lambda: found.page(name).read_text() == first)


@both_sizes
async def test_without_verdicts_it_says_so(sampled: Workbench, size: tuple[int, int]) -> None:
    async with at_work(sampled, size) as found:
        await open_undo(found)
        await found.sees("There is no verdict to take back. esc")
        await found.press("enter", "u", "escape")
        assert found.app.screen is found.review
        assert found.lines == []


async def test_only_ten_are_shown_and_hostile_words_are_signs(sampled: Workbench) -> None:
    async with at_work(sampled) as found:
        for number in range(12):
            found.engine.verdicts.discuss(found.current, note=f"[red]{number}[/]")
        rows = await open_undo(found)
        assert rows.count == 10
        await found.sees("The note goes: [red]11[/]")


async def test_the_candidate_of_a_verdict_is_copied(sampled: Workbench) -> None:
    async with at_work(sampled) as found:
        name = found.current
        await found.press("r")
        await found.until(lambda: len(found.lines) == 1)
        rows = await open_undo(found)
        await found.until(lambda: rows.count == 1)
        await found.press("y")
        assert found.app.clipboard.startswith(f"{name}  ")
        await found.press("slash", "o")
        assert "filter" not in found.text
