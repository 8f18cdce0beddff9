"""The palette: every action by its name, as the screen below has it."""

from __future__ import annotations

from textual.command import CommandPalette

from helix_tui.tui.actions import ACTIONS, actions_of
from helix_tui.tui.help.screen import HelpScreen
from helix_tui.tui.palette import ActionCommands
from tests.tui.sitting import Sitting, both_sizes, sitting


def names(found: Sitting) -> list[str]:
    commands = ActionCommands(found.app.screen)
    return [command.name for command in commands._found()]


async def test_every_action_of_a_screen_is_there_as_noun_and_verb_and_no_other() -> None:
    async with sitting() as found:
        for key, scope in (("", "review"), ("f1", "help"), ("f4", "catalog"), ("f5", "budget")):
            if key:
                await found.press(key)
            listed = [name for name in names(found) if not name.startswith("theme: ")]
            assert sorted(listed) == sorted(action.name for action in actions_of(scope))
            assert all(": " in name for name in listed)


async def test_what_does_nothing_now_stands_last_with_the_reason() -> None:
    async with sitting() as found:
        commands = ActionCommands(found.app.screen)._found()
        stop = next(one for one in commands if one.name == "sweep: Stop")
        assert "not now: No sweep is running." in stop.help
        refused = [one.help.find("not now") >= 0 for one in commands]
        assert refused == sorted(refused)


@both_sizes
async def test_it_opens_finds_and_does(size: tuple[int, int]) -> None:
    async with sitting(size) as found:
        await found.press("ctrl+p")
        await found.until(lambda: isinstance(found.app.screen, CommandPalette))
        await found.until(lambda: "candidate: Approve" in found.text)
        await found.press(*"app: help")
        await found.until(lambda: "app: Help" in found.text)
        await found.pilot.pause(0.2)
        await found.press("enter")
        await found.until(lambda: isinstance(found.app.screen, HelpScreen))


def test_actions_of_all_screens_are_in_one_registry() -> None:
    assert len({action.name for action in ACTIONS}) == len(ACTIONS)
