"""The registry: every key of the design does something, and never two things."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

import helix_tui.tui
from helix_tui.tui.actions import (
    ACTIONS,
    BY_ID,
    EVERYWHERE,
    Action,
    shown_key,
    with_keys,
)
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.keymap import clashes, keymap_mistakes
from helix_tui.tui.screens import has_screen, screen_class, screen_names

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
    "f7": "screen.context",
    "L": "told.edit",
    "f9": "screen.insight",
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


SCOPES = sorted({scope for action in ACTIONS for scope in action.scope} - {EVERYWHERE})
# Letters over the screen below: it has keys of its own, and none of the registry.
MODAL = {"jump"}


def undone(scope: str, actions: Iterable[Action] = ACTIONS) -> list[str]:
    """The actions that are bound on a screen and that it cannot carry out."""
    screen = screen_class(scope)
    return [
        action.id
        for action in actions
        if action.is_in(scope)
        and not (
            has_screen(action.opens)
            if action.opens
            else callable(getattr(screen, f"action_{action.does.partition('(')[0]}", None))
        )
    ]


def test_every_screen_has_a_scope_and_every_scope_a_screen() -> None:
    assert {*screen_names()} - MODAL == {*SCOPES}
    for scope in SCOPES:
        screen = screen_class(scope)
        assert issubclass(screen, HelixScreen)
        assert scope == screen.SCOPE


def test_every_screen_is_held_apart_from_the_others() -> None:
    settings = tomllib.loads((_TUI.parents[1] / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    (apart,) = [contract for contract in contracts if contract["type"] == "independence"]
    (layers,) = [contract for contract in contracts if "helix_tui.tui.kit" in str(contract)]
    screens = {f"helix_tui.tui.{name}" for name in screen_names()}
    assert {*apart["modules"]} == screens
    assert {*layers["layers"][1].split(" | ")} == screens


@pytest.mark.parametrize("scope", SCOPES)
def test_a_screen_carries_out_every_action_that_is_bound_on_it(scope: str) -> None:
    assert undone(scope) == []


def test_an_action_that_a_screen_lacks_is_noticed() -> None:
    lacking = Action("a.b", "a: B", ("f9",), ("undo",), "nothing", "no_such_thing")
    nowhere = Action("a.c", "a: C", ("f10",), ("undo",), "nothing", opens="no_such_screen")
    assert undone("undo", [lacking, nowhere]) == ["a.b", "a.c"]
    assert undone("review", [lacking, nowhere]) == []


@pytest.mark.parametrize("scope", SCOPES)
def test_a_footer_names_actions_that_are_bound_on_its_screen(scope: str) -> None:
    ours = {action.id for action in ACTIONS if action.is_in(scope)}
    module = sys.modules[screen_class(scope).__module__]
    assert {*screen_class(scope).FOOTER, *getattr(module, "_FOOTER", {})} <= ours


# Keys in sentences

_TUI = Path(helix_tui.tui.__file__).parent
# Keys that nobody can remap: those of the line to type in, of questions and of jumping.
_FIXED_KEYS = {"kit/prompt.py", "base/dialogs.py", "base/picker.py", "jump/screen.py"}
_KEY = re.compile(
    r"\b(?:esc|enter)\b|\bctrl\+\w|\^[a-z]\b|\bf\d{1,2}\b"
    # A letter or two before what they do: "y copies", "p n go to others", "a on the review screen".
    r"|(?:^|[\s.;,(])(?:[b-zB-HJ-Z]|[a-z] [a-z]) (?:[a-z]+s\b|go\b|on\b)|\ba (?:on the|approves)\b"
    r"|^\d [A-Z][a-z]+"
)


def strings(source: str) -> list[str]:
    """The strings of a module, without its docstrings."""
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [
        node.value
        for node in constants
        if isinstance(node.value, str) and id(node) not in docstrings
    ]


def keys_told(source: str) -> list[str]:
    """The sentences of a module that name a key by itself, not by its action."""
    return [text for text in strings(source) if " " in text and _KEY.search(text)]


@pytest.mark.parametrize(
    "path", sorted(_TUI.rglob("*.py")), ids=lambda path: path.relative_to(_TUI).as_posix()
)
def test_sentences_name_actions_not_keys(path: Path) -> None:
    name = path.relative_to(_TUI).as_posix()
    if name in _FIXED_KEYS:
        pytest.skip("its keys cannot be remapped")
    # How keys are remapped is shown by an example.
    told = [text for text in keys_told(path.read_text()) if not re.search(r'" = \[?"', text)]
    assert told == []


@pytest.mark.parametrize(
    "sentence",
    [
        "There is none. esc leads to the list.",
        "Nothing is kept; enter looks for the raw.",
        "It cannot be read; ctrl+e opens it again.",
        "y copies ",
        " · {at} of {count}, p n go to others, d shows what it changed",
        "The catalog is empty; a on the review screen approves a candidate.",
        "1 Ingest",
    ],
)
def test_a_key_in_a_sentence_is_noticed(sentence: str) -> None:
    assert keys_told(f'"""esc is in here, too."""\nsaid = {sentence!r}\n') == [sentence]


def test_every_action_that_a_sentence_names_is_in_the_registry() -> None:
    sentences = [text for path in _TUI.rglob("*.py") for text in strings(path.read_text())]
    named = {name for text in sentences for name in re.findall(r"\{([a-z]+\.\w+)\}", text)}
    assert named <= BY_ID.keys()
    assert len(named) > 20


def test_words_of_a_log_in_a_sentence_name_no_key() -> None:
    assert with_keys("Pinned: {x.y}. {session.pin} changes it.", {}) == (
        "Pinned: {x.y}. t changes it."
    )


def test_remapping_is_refused_where_it_names_nothing_or_clashes() -> None:
    assert keymap_mistakes({"candidate.approve": ("f12",)}) == []
    assert "unknown action" in keymap_mistakes({"candidate.aprove": ("f12",)})[0]
    assert "candidate.reject" in keymap_mistakes({"candidate.approve": ("x",)})[0]


def test_two_actions_may_change_places() -> None:
    assert keymap_mistakes({"candidate.approve": ("r", "x"), "candidate.reject": ("a",)}) == []
