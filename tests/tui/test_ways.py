"""Finding one's way: tabs and bottom line by mouse, the command bar, views, hints."""

from __future__ import annotations

from pathlib import Path

from textual.command import CommandPalette

from helix_tui.tui.app import HelixApp
from helix_tui.tui.jobs import Connection
from helix_tui.tui.kit.footer import KeyFooter
from helix_tui.tui.kit.topbar import TopBar
from helix_tui.tui.palette import _things_of
from helix_tui.tui.preferences import Preferences, View
from tests.conftest import Workbench
from tests.tui.at_work import at_work
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.sitting import Sitting, both_sizes, sitting


@both_sizes
async def test_tabs_have_their_keys_and_open_by_mouse(size: tuple[int, int]) -> None:
    async with sitting(size) as found:
        top = found.text.split("\n")[0]
        for tab in ("f3 sessions", "f4 catalog", "f5 budget", "f6 memory"):
            assert tab in top
        await found.pilot.click(TopBar, offset=(top.index("catalog") + 1, 0))
        await found.until(lambda: found.place == "catalog")
        top = found.text.split("\n")[0]
        await found.pilot.click(TopBar, offset=(top.index("review") + 1, 0))
        await found.until(lambda: found.place == "review")


async def test_the_bottom_line_is_clicked() -> None:
    async with sitting() as found:
        bottom = found.text.split("\n")[-1]
        await found.pilot.click(KeyFooter, offset=(bottom.index("reject") + 1, 0))
        await found.until(lambda: found.verdicts == [("reject", "problem-000000")])


async def test_a_row_is_clicked_and_clicked_twice_opens() -> None:
    async with sitting() as found:
        await found.pilot.click("#candidates", offset=(20, 3))
        assert found.current == "problem-000003"
        await found.pilot.click("#candidates", offset=(20, 3), times=2)
        await found.until(lambda: found.place == "evidence")


async def test_the_command_bar_finds_actions_by_what_they_do() -> None:
    async with sitting() as found:
        await found.press("ctrl+p")
        await found.until(lambda: isinstance(found.app.screen, CommandPalette))
        await found.press(*"worth teaching")
        await found.until(lambda: "candidate: Reject" in found.text)
        await found.press("enter")
        await found.until(lambda: found.verdicts == [("reject", "problem-000000")])


async def test_it_finds_sessions_patterns_and_repositories_by_name(sampled: Workbench) -> None:
    async with at_work(sampled) as found:
        await found.go_to(found.without_words_of_log()[0])
        await found.press("a")
        await found.until(lambda: len(found.verdicts) == 1)
        await found.until(lambda: list(found.page("x").parent.glob("*.md")))
        things = _things_of(found.engine, found.review)
        kinds = {thing.name.partition(":")[0] for thing in things}
        assert kinds == {"session", "pattern", "repository"}
        repo = next(thing for thing in things if thing.name == "repository: tidemark")
        repo.run()
        await found.sees("repository tidemark")


def test_views_and_hints_are_remembered(tmp_path: Path) -> None:
    file = tmp_path / "state" / "workstation.json"
    before = Preferences(file)
    before.keep_view(View("mine", "flavor:codex", "score"))
    before.keep_view(View("mine", "flavor:grok"))
    before.hint_done("decide")
    after = Preferences(file)
    assert after.views == [View("mine", "flavor:grok")]
    assert after.is_hint_done("decide")
    after.drop_view("mine")
    assert Preferences(file).views == []


async def test_a_view_is_kept_and_opened_by_its_digit() -> None:
    async with sitting(count=12) as found:
        await found.press("f")
        await found.until(lambda: "No view is kept yet" in found.text)
        await found.press("slash", *"tool 1", "enter", "F", *"ones", "enter")
        await found.until(lambda: "Kept: ones" in found.text)
        await found.press("escape")
        assert "12 of 12" in found.text
        await found.press("f", "1")
        await found.until(lambda: "3 of 12" in found.text)
        assert "/tool 1" in found.text
        await found.press("f", "ctrl+d")
        await found.until(lambda: found.app.preferences.views == [])


async def test_a_hint_goes_when_it_was_followed(tmp_path: Path) -> None:
    source = MadeSource([made_reviewed(number) for number in range(3)])
    file = tmp_path / "workstation.json"
    app = HelixApp(lambda: Connection(source, ["true"]), preferences=Preferences(file))
    async with app.run_test(size=(120, 40)) as pilot:
        found = Sitting(app, source, pilot)
        await found.until(lambda: found.current)
        assert "a writes the draft, r rejects, u undoes" in found.text
        await found.press("r")
        await found.until(lambda: "n next occurrence" in found.text)
        await found.press("n", "slash", "escape")
        await found.until(lambda: "narrows, v marks" not in found.text)
        assert Preferences(file).is_hint_done("find")
