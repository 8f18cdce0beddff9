"""The editor: what is typed, what it comes to, and what reaches journal and catalog."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from helix_tui.curate.page.page import read_page
from helix_tui.tui.editor.screen import EditorScreen
from helix_tui.tui.evidence.screen import EvidenceScreen
from helix_tui.tui.kit.fields import Field, Prose
from tests.cli.reviewing import editor
from tests.conftest import Workbench
from tests.tui.at_work import AtWork, at_work
from tests.tui.sitting import both_sizes

SECRET = "password=hunter2-very-secret-94"
BIDI = "\u202e"


async def open_editor(found: AtWork, *keys: str) -> EditorScreen:
    await found.press(*(keys or ("e",)))
    await found.until(lambda: isinstance(found.app.screen, EditorScreen))
    screen = found.app.screen
    assert isinstance(screen, EditorScreen)
    await found.until(lambda: screen._checked is not None)
    return screen


def prose(screen: EditorScreen) -> Prose:
    return screen.query_one("#prose", Prose)


@both_sizes
async def test_words_of_ones_own_are_approved_and_the_list_goes_on(
    sampled: Workbench, size: tuple[int, int]
) -> None:
    async with at_work(sampled, size) as found:
        name, following = found.review.table.shown[:2]
        screen = await open_editor(found)
        await found.sees("## Problem", "title ")
        screen.query_one("#title").focus()
        await found.press("end", *", says me")
        prose(screen).focus()
        await found.press("down", "down", *"Mine. ")
        await found.press("ctrl+g")
        assert found.app.screen is found.review
        assert found.current == following
        await found.until(lambda: found.verdicts == [("approve", name)])
        await found.until(found.page(name).exists)  # the journal comes before the files
        await found.until(lambda: found.page(name).exists())
        pattern = read_page(found.page(name).read_text(), name)
        assert pattern.title.endswith(", says me")
        assert pattern.problem.startswith("Mine. ")
        assert found.lines[0].writes[0].text == found.page(name).read_text()
        await found.press("u")
        await found.until(lambda: not found.page(name).exists())
        assert found.current == name
        await open_editor(found)
        await found.sees("Mine. ")


@pytest.mark.parametrize("last", ["ctrl+g", "escape"])
async def test_no_command_overtakes_what_was_typed_before_it(sampled: Workbench, last: str) -> None:
    async with at_work(sampled) as found:
        name = found.current
        screen = await open_editor(found)
        prose(screen).focus()
        await found.press("down", "down")
        # As from a terminal that sends them at once: nobody waits for one to be dealt with.
        for key in "Mine. ":
            found.app.post_message(events.Key("space" if key == " " else key, key))
        found.app.post_message(events.Key(last, None))
        if last == "escape":
            await found.sees("Leave, and drop what you wrote?")
        else:
            await found.until(lambda: found.verdicts == [("approve", name)])
            await found.until(lambda: found.page(name).exists())
            assert read_page(found.page(name).read_text(), name).problem.startswith("Mine. ")


@both_sizes
async def test_escape_leaves_and_asks_when_something_changed(
    sampled: Workbench, size: tuple[int, int]
) -> None:
    async with at_work(sampled, size) as found:
        await open_editor(found)
        await found.press("escape")
        assert len(found.app.screen_stack) == 1
        screen = await open_editor(found)
        await found.press(*"jaq?", "escape")
        await found.sees("Leave, and drop what you wrote?")
        await found.press("n")
        assert len(found.app.screen_stack) == 2
        assert prose(screen).text.startswith("jaq?")
        await found.press("escape", "y")
        assert len(found.app.screen_stack) == 1
        assert found.lines == []
        screen = await open_editor(found)
        assert prose(screen).text.startswith("## Problem")


@both_sizes
@pytest.mark.parametrize(
    ("typed", "told"),
    [(SECRET, "a password, key or token"), (BIDI, "turns the direction of text (U+202E)")],
    ids=["secret", "bidi"],
)
async def test_what_may_not_be_written_is_refused_and_stays_typed(
    sampled: Workbench, size: tuple[int, int], typed: str, told: str
) -> None:
    async with at_work(sampled, size) as found:
        screen = await open_editor(found)
        prose(screen).move_cursor((2, 0))
        prose(screen).insert(f"Say {typed} here.\n")
        await found.press("ctrl+g")
        await found.sees("Not approved")
        assert found.app.screen is screen
        assert f"Say {typed} here." in prose(screen).text
        assert prose(screen).cursor_location[0] == 2
        assert BIDI not in found.text
        assert found.lines == []
        await found.press("ctrl+l")
        found.app.clear_notifications()
        await found.sees("Mistakes", "line 3", told[:24])


async def test_mistakes_are_told_as_one_types_and_go_when_they_are_mended(
    sampled: Workbench,
) -> None:
    async with at_work(sampled) as found:
        screen = await open_editor(found)
        await found.press("delete")
        await found.sees("Mistakes", "mistake")
        assert "Preview  when the mistakes are mended" in found.text
        await found.press("#")
        await found.until(lambda: "Mistakes" not in found.text)
        screen.query_one("#title", Field).value = ""
        await found.sees("✗ title")
        await found.press("ctrl+g")
        assert found.app.focused is screen.query_one("#title")


@both_sizes
async def test_hints_make_the_preview_of_one_agent_another(
    sampled: Workbench, size: tuple[int, int]
) -> None:
    async with at_work(sampled, size) as found:
        await found.past_words()
        name = found.current
        screen = await open_editor(found)
        screen.query_one("#scope", Field).value = "src/*.{ts,tsx}, docs/*"
        screen.query_one("#scope").focus()
        await found.press("end", "*", "enter", *"AGENTS.md", "enter")
        assert found.app.focused is screen.query_one("#wording")
        await found.press(*"Mind it.")
        await found.press("ctrl+l")
        await found.sees("As claude would receive it", '- "docs/**"')
        await found.press("G")
        await found.sees('src/*.{ts,tsx}"', "Mind it.", "tokens")
        await found.press("ctrl+r")
        await found.sees("As codex would receive it")
        assert "Mind it." not in found.text
        await found.press("ctrl+g")
        await found.until(lambda: found.page(name).exists())
        (agent, hint), *more = read_page(found.page(name).read_text(), name).rendering.items()
        assert more == []
        assert agent == "claude"
        assert hint.scope == ["src/*.{ts,tsx}", "docs/**"]
        assert (hint.target, hint.wording) == ("AGENTS.md", "Mind it.")


@both_sizes
async def test_where_how_and_in_which_words_it_is_taught(
    sampled: Workbench, size: tuple[int, int]
) -> None:
    async with at_work(sampled, size) as found:
        await found.past_words()
        name = found.current
        screen = await open_editor(found)
        screen.query_one("#rule", Field).value = "Mind it. ⏎ Always."
        screen.query_one("#place", Field).value = "nowhere"
        screen.query_one("#rung", Field).value = "essay"
        await found.press("ctrl+g")
        assert found.app.focused is screen.query_one("#rule")
        screen.query_one("#place", Field).value = "repo:shop"
        screen.query_one("#rung", Field).value = "line"
        await found.press("ctrl+g")
        await found.until(lambda: found.page(name).exists())
        page = read_page(found.page(name).read_text(), name)
        assert (page.rule, page.scope, page.rung) == ("Mind it.\nAlways.", "repo:shop", "line")


@both_sizes
async def test_the_gate_and_what_is_alike_stand_beside_it(
    sampled: Workbench, size: tuple[int, int]
) -> None:
    async with at_work(sampled, size) as found:
        await found.past_words()
        await open_editor(found)
        await found.press("ctrl+l")
        await found.sees("Gate  ", "✓ ok", "to hand out", "Alike in the catalog")
        await found.press("j", "k", "escape")
        assert isinstance(found.app.focused, Prose)


async def test_a_pattern_that_is_there_is_named(sampled: Workbench) -> None:
    async with at_work(sampled) as found:
        one = found.current
        found.engine.verdicts.approve(one, look="page")
        await open_editor(found)
        await found.sees("Approving  changes nothing", one)


async def test_approving_what_has_words_of_a_log_shows_them_first(sampled: Workbench) -> None:
    # A screen with no room for all of them beside the evidence.
    async with at_work(sampled, (80, 20)) as found:
        name = found.with_words_of_log()
        await found.go_to(name)
        await found.press("a")
        await found.until(lambda: isinstance(found.app.screen, EditorScreen))
        await found.sees("Words of a log", "Agents would follow them")
        assert found.lines == []
        await found.press("j", "a", "escape")
        assert found.app.screen is found.review
        assert found.current == name
        await found.press("a")
        await found.until(lambda: isinstance(found.app.screen, EditorScreen))
        await found.sees("Words of a log")
        await found.press("ctrl+g")
        await found.until(lambda: found.verdicts == [("approve", name)])
        await found.until(lambda: found.page(name).exists())


@pytest.mark.parametrize("place", ["review", "evidence"])
async def test_the_own_editor_has_the_whole_page(
    sampled: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    command = editor(tmp_path, "sed -i 's/^# .*/# Mine/' \"$1\"")
    monkeypatch.setenv("EDITOR", command)
    monkeypatch.delenv("VISUAL", raising=False)
    async with at_work(sampled) as found:
        name = found.current
        if place == "evidence":
            await found.press("enter")
            await found.until(lambda: isinstance(found.app.screen, EvidenceScreen))
        screen = await open_editor(found, "ctrl+e")
        await found.until(lambda: screen.query_one("#title", Field).value == "Mine")
        await found.press("ctrl+g")
        await found.until(lambda: found.verdicts == [("approve", name)])
        await found.until(lambda: found.page(name).exists())
        assert read_page(found.page(name).read_text(), name).title == "Mine"


async def test_a_page_that_the_own_editor_broke_is_kept_and_opened_again(
    sampled: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = """
            if grep -q Broken "$1"; then sed -i 's/^# Broken/# Good/; s/^##Problem/## Problem/' "$1"
            else sed -i 's/^# .*/# Broken/; s/^## Problem/##Problem/' "$1"; fi"""
    monkeypatch.setenv("VISUAL", editor(tmp_path, body))
    async with at_work(sampled) as found:
        screen = await open_editor(found)
        await found.press("ctrl+e")
        await found.sees("The page cannot be read. Open it again?")
        await found.press("n", "ctrl+g")
        await found.sees("What your editor saved")
        await found.press("ctrl+e")
        await found.until(lambda: screen.query_one("#title", Field).value == "Good")
        monkeypatch.setenv("VISUAL", "false")
        await found.press("ctrl+e")
        await found.sees("nothing was taken over")
        assert screen.query_one("#title", Field).value == "Good"


async def test_what_steers_a_terminal_shows_as_a_sign(sampled: Workbench) -> None:
    async with at_work(sampled) as found:
        screen = await open_editor(found)
        prose(screen).insert("[bold]\x1b[2J\x9b1m[/]\n")
        screen.query_one("#title", Field).value = "\x1b]0;me\x07[red]"
        await found.sees("[bold]␛[2J�1m[/]", "␛]0;me␇[red]")
        await found.press("ctrl+g")
        await found.sees("Not approved")
