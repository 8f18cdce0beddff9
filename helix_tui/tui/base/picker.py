"""One of many by a few of its letters: a line to type in over what fits it, the best first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.fuzzy import Matcher
from textual.screen import ModalScreen
from textual.widgets import Static

from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import READING, Lines, Toned, cut_behind_word, fit

_MOST_SHOWN, _LEAST_ABOUT = 12, 14
_MOVES = {"down": 1, "ctrl+n": 1, "up": -1, "ctrl+p": -1, "pagedown": _MOST_SHOWN}
_MOVES |= {"pageup": -_MOST_SHOWN}


class Choice(NamedTuple):
    """Something to choose: its id, what it is called, and what else is said of it."""

    id: str
    name: str
    about: str = ""
    # A sign that takes it at once, before anything else is typed.
    key: str = ""


def fitting(choices: Sequence[Choice], typed: str) -> list[Choice]:
    """The choices that have the typed letters in this order, the best first."""
    if not typed.strip():
        return list(choices)
    matcher = Matcher(typed.strip())
    scored = [(matcher.match(f"{one.name} {one.id}"), one) for one in choices]
    return [one for score, one in sorted(scored, key=lambda pair: -pair[0]) if score > 0]


def _named(choice: Choice) -> str:
    """What a choice is called, behind the sign that takes it."""
    return safe_line(f"{choice.key}  {choice.name}" if choice.key else choice.name)


class _Rows(Lines):
    """The line that is typed in, over the choices."""

    def __init__(self) -> None:
        super().__init__(id="picker-rows")
        self.typed = ""
        self.shown: Sequence[Choice] | None = None
        self.cursor = 0
        self.none = ""

    def lines(self, width: int, height: int) -> list[list[Toned]]:
        """What was typed, then what fits around the cursor."""
        rows: list[list[Toned]] = [[(f"> {safe_line(self.typed)}", "strong"), ("▏", "accent")]]
        if self.shown is None:
            return [*rows, [(f"  {READING}", "dim")]]
        if not self.shown:
            return [*rows, [(f"  {self.none}", "dim")]]
        first = max(0, self.cursor - _MOST_SHOWN + 1)
        for at, one in enumerate(self.shown[first : first + _MOST_SHOWN], first):
            sign, tone = (">", "cursor") if at == self.cursor else (" ", "plain")
            # A name goes first: what is said of it has what it leaves, and a few words at least.
            left = max(min(_LEAST_ABOUT, width // 3), width - cell_len(_named(one)) - 4)
            about = cut_behind_word(safe_line(one.about), left).rstrip().replace(",…", "…")
            room = max(8, width - cell_len(about) - 4)
            about_tone = tone if at == self.cursor else "dim"
            rows.append([(f"{sign} {fit(_named(one), room)} ", tone), (about, about_tone)])
        return rows


class PickerScreen(ModalScreen[str]):
    """Asks for one of some choices; enter takes the one under the cursor, escape none."""

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice] | None = None,
        none: str = "Nothing fits.",
        load: Callable[[PickerScreen], None] | None = None,
        dropped: Callable[[str], None] | None = None,
        empty: str = "",
    ) -> None:
        """Without choices `load` has them read; `offer` takes them. `dropped` forgets one.

        `none` is said where no choice fits, `empty` where there is none at all.
        """
        super().__init__()
        self._title = safe_line(title, 300)
        self._choices = choices
        self._none = none
        self._load = load
        self._dropped = dropped
        self._empty = empty or none

    def compose(self) -> ComposeResult:
        """The question over the line and the choices."""
        with Vertical(id="picker"):
            yield Static(self._title, id="picker-title", markup=False)
            yield _Rows()
            keys = "enter takes it   ↑ ↓ move   esc leaves"
            keys += "   ^d forgets it" if self._dropped else ""
            yield Static(keys, id="picker-keys", markup=False)

    def on_mount(self) -> None:
        """Show what there is to choose from."""
        self._rows.none = self._none
        if self._load is not None:
            self._load(self)
        elif self._choices is not None:
            self.offer(self._choices)

    @property
    def _rows(self) -> _Rows:
        return self.query_one(_Rows)

    def offer(self, choices: Sequence[Choice]) -> None:
        """Take the choices."""
        self._choices = choices
        self._rows.none = self._none if choices else self._empty
        self._narrow(self._rows.typed)

    def _narrow(self, typed: str) -> None:
        rows = self._rows
        rows.typed, rows.cursor = typed, 0
        rows.shown = None if self._choices is None else fitting(self._choices, typed)
        rows.refresh()

    def on_key(self, event: events.Key) -> None:
        """Letters narrow, arrows move."""
        event.stop()
        event.prevent_default()
        rows = self._rows
        shown = rows.shown or ()
        if event.key == "escape":
            self.dismiss("")
        elif event.key == "enter":
            if shown:
                self.dismiss(shown[rows.cursor].id)
        elif event.key in _MOVES:
            rows.cursor = max(0, min(len(shown) - 1, rows.cursor + _MOVES[event.key]))
            rows.refresh()
        elif event.key in ("backspace", "ctrl+h"):
            self._narrow(rows.typed[:-1])
        elif event.key == "ctrl+u":
            self._narrow("")
        elif event.key == "ctrl+d" and self._dropped is not None and shown:
            self._dropped(shown[rows.cursor].id)
            self.dismiss("")
        elif event.is_printable and event.character is not None:
            by_key = [one.id for one in shown if one.key and one.key == event.character]
            if by_key and not rows.typed:
                self.dismiss(by_key[0])
            else:
                self._narrow(rows.typed + event.character)
