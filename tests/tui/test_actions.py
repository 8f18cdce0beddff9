"""The registry: every key of the design does something, and never two things."""

from __future__ import annotations

import pytest

from helix_tui.tui.actions import (
    ACTIONS,
    BY_ID,
    EVERYWHERE,
    clashes,
    keymap_mistakes,
    shown_key,
)
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.review.screen import ReviewScreen
from helix_tui.tui.screens import has_screen, screen_class

# The key table of the design, key by key.
WANTED = {
    "j": "cursor.down",
    "k": "cursor.up",
    "↓": "cursor.down",
    "↑": "cursor.up",
    "g": "cursor.first",
    "G": "cursor.last",
    "pgup": "cursor.page_up",
    "pgdn": "cursor.page_down",
    "enter": "pane.open",
    "l": "pane.open",
    "h": "pane.leave",
    "esc": "pane.leave",
    "a": "candidate.approve",
    "r": "candidate.reject",
    "x": "candidate.reject",
    "d": "candidate.discuss",
    "space": "candidate.skip",
    "w": "candidate.snooze",
    "t": "session.pin",
    "u": "verdict.undo",
    "backspace": "verdict.undo",
    "e": "candidate.edit",
    "^e": "candidate.edit_outside",
    "n": "occurrence.next",
    "p": "occurrence.previous",
    "P": "screen.problems",
    "f2": "screen.jump",
    "f3": "screen.sessions",
    "f4": "screen.catalog",
    "f5": "screen.budget",
    "f6": "screen.memory",
    "s": "sweep.start",
    "S": "sweep.stop",
    "1": "pane.focus_1",
    "2": "pane.focus_2",
    "3": "pane.focus_3",
    "4": "pane.focus_4",
    "tab": "pane.next",
    "z": "pane.zoom",
    "/": "list.filter",
    "o": "list.sort",
    "v": "list.mark",
    "U": "verdict.history",
    "m": "candidate.merge",
    "M": "candidate.split",
    "y": "item.copy",
    "Y": "evidence.copy",
    "?": "app.help",
    "f1": "app.help",
    "q": "app.quit",
    "^p": "app.commands",
}


def test_every_key_of_the_design_has_its_action_on_the_review_screen() -> None:
    keys = {shown_key(key): one.id for one in ACTIONS if one.is_in("review") for key in one.keys}
    assert {key: keys.get(key) for key in WANTED} == WANTED


def test_no_key_does_two_things_on_one_screen() -> None:
    assert clashes({}) == []


def test_no_key_is_one_that_a_terminal_takes() -> None:
    taken = {"ctrl+s", "ctrl+j", "ctrl+o", "ctrl+b"}
    assert not taken & {key for action in ACTIONS for key in action.keys}


def test_names_are_a_noun_and_a_verb_and_ids_are_unique() -> None:
    assert len(BY_ID) == len(ACTIONS)
    for action in ACTIONS:
        assert ": " in action.name
        assert action.help
        assert bool(action.does) != bool(action.opens), action.id


@pytest.mark.parametrize("scope", sorted({s for one in ACTIONS for s in one.scope} - {EVERYWHERE}))
def test_a_screen_that_is_there_answers_to_its_scope(scope: str) -> None:
    if not has_screen(scope):
        pytest.skip("nobody has built it yet")
    found = screen_class(scope)
    assert issubclass(found, HelixScreen)
    assert scope == found.SCOPE


def test_the_review_screen_carries_out_what_is_its_own() -> None:
    elsewhere = {"edit_outside", "merge", "split", "jump"}
    for action in ACTIONS:
        if action.is_in("review") and action.does:
            name = action.does.partition("(")[0]
            assert hasattr(ReviewScreen, f"action_{name}") or name in elsewhere, action.id


def test_remapping_is_refused_where_it_names_nothing_or_clashes() -> None:
    assert keymap_mistakes({"candidate.approve": ("f7",)}) == []
    assert "unknown action" in keymap_mistakes({"candidate.aprove": ("f7",)})[0]
    assert "candidate.reject" in keymap_mistakes({"candidate.approve": ("x",)})[0]


def test_two_actions_may_change_places() -> None:
    assert keymap_mistakes({"candidate.approve": ("r", "x"), "candidate.reject": ("a",)}) == []
