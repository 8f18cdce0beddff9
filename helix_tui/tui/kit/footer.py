"""The bottom line: the keys that matter here, dimmed where they do nothing now."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

from rich.cells import cell_len
from textual import events
from textual.message import Message

from helix_tui.tui.actions import Action, actions_of, keys_of, shown_key
from helix_tui.tui.kit.lines import Lines, name_at

# What stays longest where the line is short.
_LAST_TO_GO = ("candidate.approve", "candidate.reject", "verdict.undo", "app.help", "pane.open")


class KeyFooter(Lines):
    """Made of the registry; nothing is kept by hand."""

    class Chosen(Message):
        """An action was clicked."""

        def __init__(self, action_id: str) -> None:
            super().__init__()
            self.action_id = action_id

    _shown: Sequence[tuple[str, str]] = ()

    def __init__(
        self,
        scope: str,
        keymap: Mapping[str, tuple[str, ...]],
        refusal: Callable[[Action], str],
        words: Mapping[str, str] | None = None,
        *,
        is_only: bool = False,
        is_typing: bool = False,
        now: Callable[[Action], str] = attrgetter("footer"),
    ) -> None:
        """`words` are other words than the registry's, by id; an empty one hides an action.

        With `is_only` nothing else is shown. Where one types, a key of one letter is none: the
        next key of the action is shown. `now` says the word of the moment.
        """
        super().__init__()
        self._now = now
        self._refusal = refusal
        words = words or {}
        actions = {action.id: action for action in actions_of(scope)}
        own_words = {name: action.footer for name, action in actions.items()}
        chosen = (
            words
            if is_only
            else own_words | {n: word for n, word in words.items() if n in own_words}
        )
        self._items = [
            (action._replace(footer=word), shown_key(_untyped(keys) if is_typing else keys[0]))
            for name, word in chosen.items()
            if word and (action := actions[name]) and (keys := keys_of(action, keymap))
        ]

    def lines(self, width: int, height: int) -> list[list[tuple[str, str]]]:
        """The keys that fit."""
        items = [(action._replace(footer=self._now(action)), key) for action, key in self._items]
        while len(items) > 1 and _width(items) > width:
            going = [item for item in items if item[0].id not in _LAST_TO_GO] or items
            items.remove(going[-1])
        spans: list[tuple[str, str]] = []
        is_asking = self.screen.has_class("-asking")
        self._shown = [(f" {key} {action.footer} ", action.id) for action, key in items]
        for action, key in items:
            is_off = bool(self._refusal(action)) or (is_asking and _is_typed(key))
            spans += [(" ", "plain"), (key, "dim" if is_off else "accent")]
            spans += [(f" {action.footer}", "dim" if is_off else "plain"), (" ", "plain")]
        return [spans]

    def on_click(self, event: events.Click) -> None:
        """Do what is under the mouse."""
        if name := name_at(self._shown, event.x):
            self.post_message(self.Chosen(name))


def _width(items: list[tuple[Action, str]]) -> int:
    return sum(cell_len(key) + cell_len(action.footer) + 3 for action, key in items)


def _is_typed(key: str) -> bool:
    """Whether a line that is typed in takes a key."""
    return not key.startswith("^") and re.fullmatch(r"f\d+", key) is None


def _untyped(keys: tuple[str, ...]) -> str:
    """The first key that types nothing."""
    named = ("slash", "question_mark")
    return next((key for key in keys if len(key) > 1 and key not in named), keys[0])
