"""Help: every key of the registry, by screen, at both sizes."""

from __future__ import annotations

import pytest

from helix_tui.tui.actions import ACTIONS, shown_key
from helix_tui.tui.help.screen import HelpScreen, help_lines
from helix_tui.tui.review.screen import ReviewScreen
from tests.tui.sitting import both_sizes, sitting


def page(here: str = "review", wanted: str = "", width: int = 118) -> str:
    lines = help_lines(here, {}, wanted, width)
    return "\n".join("".join(text for text, _ in line) for line in lines)


@pytest.mark.parametrize("width", [118, 78])
def test_every_action_stands_there_with_its_keys_and_its_name(width: int) -> None:
    text = page(width=width)
    for action in ACTIONS:
        assert action.id in text
        for key in action.keys:
            assert shown_key(key) in text


def test_no_line_is_wider_than_the_screen_and_no_word_is_lost() -> None:
    narrow = page(width=78)
    assert all(len(line) <= 78 for line in narrow.split("\n"))
    words = " ".join(narrow.split())
    for word in " ".join(action.help for action in ACTIONS).split():
        assert word in words


def test_the_screen_below_comes_first() -> None:
    assert page("catalog").startswith(" On catalog  here")
    assert page("review").startswith(" On review  here")


def test_own_keys_are_shown_instead_of_those_of_the_registry() -> None:
    lines = help_lines("review", {"candidate.approve": ("f7",)}, "candidate.approve", 118)
    assert any("f7" in text for line in lines for text, _ in line)


@both_sizes
async def test_question_mark_opens_it_slash_narrows_and_escape_leaves(
    size: tuple[int, int],
) -> None:
    async with sitting(size) as found:
        await found.press("question_mark")
        await found.until(lambda: "On review" in found.text)
        assert "make it a pattern of the catalog" in found.text
        await found.press("G")
        await found.until(lambda: "[keys]" in found.text)
        await found.press("slash", *"snooze")
        await found.until(lambda: "make it a pattern" not in found.text)
        assert "put it off until a day" in found.text
        await found.press("enter", "escape")
        await found.until(lambda: "make it a pattern" in found.text)
        await found.press("escape")
        assert isinstance(found.app.screen, ReviewScreen)


async def test_nothing_that_fits_says_what_to_press_and_markup_stays_text() -> None:
    async with sitting((80, 24)) as found:
        await found.press("f1", "slash", *"[b]x")
        await found.until(lambda: "No key fits" in found.text)
        assert "[b]x" in found.text


async def test_help_on_help_opens_no_second_one() -> None:
    async with sitting() as found:
        await found.press("f1", "f1", "question_mark")
        assert sum(isinstance(one, HelpScreen) for one in found.app.screen_stack) == 1
