"""One line to type in, above the footer: a filter, a note, until when to snooze.

Its keys are taken in the order in which they came, before any other key is looked at: what is
typed quickly behind `/` or `d` never reaches the list below.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip

from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.footer import KeyFooter
from helix_tui.tui.kit.lines import Lines, style_of

# The keys of the line itself, which nobody can remap.
KEEPS_OR_CLEARS = "enter keeps, esc clears"
FINDS_OR_CLOSES = "enter finds, esc closes"
SENDS_OR_CLOSES = "enter sends, esc closes"
REJECTS_OR_CLOSES = "a digit rejects at once, words with enter, esc closes"
KEEPS_OR_CLOSES = "enter keeps the view, esc closes"
PUTS_OFF_OR_CLOSES = "enter puts it off, esc closes"
OR_LEAVE_IT = "or press esc to leave it"
THEN_ENTER_SENDS = "then enter sends it"
Told = Callable[[str], None]
Check = Callable[[str], str]
_LONGEST = 4_000


def _nothing(_: str) -> None:
    """Nobody listens."""


def _no_fault(_: str) -> str:
    return ""


class Prompt(Lines):
    """Asks for a line; enter hands it over, escape closes."""

    def __init__(self) -> None:
        super().__init__(classes="-closed")
        self._label = self._hint = self.value = ""
        self._at = 0
        self._typed: Told = _nothing
        self._done: Told = _nothing
        self._check: Check = _no_fault
        self._cancelled: Callable[[], None] = lambda: None

    @property
    def is_open(self) -> bool:
        """Whether somebody is being asked."""
        return not self.has_class("-closed")

    def ask(
        self,
        label: str,
        done: Told,
        *,
        value: str = "",
        hint: str = "",
        typed: Told = _nothing,
        check: Check = _no_fault,
        cancelled: Callable[[], None] = lambda: None,
    ) -> None:
        """Open the line; `typed` is told of every change, `done` of enter.

        Where `check` says what is wrong with a text, that is told and the line stays open.
        """
        self._check = check
        self._label, self._hint, self.value, self._at = label, hint, value, len(value)
        self._typed, self._done, self._cancelled = typed, done, cancelled
        self.app.clear_notifications()  # they would lie over it
        self.remove_class("-closed")
        self._asking(True)
        self.refresh()

    def close(self) -> None:
        """Put the line away."""
        self.add_class("-closed")
        self._asking(False)
        self._typed = self._done = _nothing

    def _asking(self, is_asking: bool) -> None:
        self.screen.set_class(is_asking, "-asking")
        self.screen.query(KeyFooter).refresh()  # letters are text as long as it is open
        if not is_asking:
            # Where a toast went just before, Textual may leave the line on the terminal: all is
            # drawn anew once the line has its place no more.
            self.screen.call_after_refresh(self.screen.refresh, layout=True)

    def take_key(self, event: events.Key) -> bool:
        """Take a key while the line is open; function keys are left to others."""
        if not self.is_open:
            return False
        if event.key == "enter":
            done, value = self._done, self.value
            if reason := self._check(value):
                self.notify(safe_line(reason, 400), severity="error", markup=False)
                return True
            self.close()
            done(value)
        elif event.key == "escape":
            self.close()
            self._cancelled()
        elif event.is_printable and event.character is not None:
            self.insert(event.character)
        elif event.key in _EDITS:
            before = self.value
            self.value, self._at = _EDITS[event.key](self.value, self._at)
            self.refresh()
            if self.value != before:
                self._typed(self.value)
        else:
            return False
        return True

    def insert(self, text: str) -> None:
        """Add typed or pasted text, on one line."""
        text = text.replace("\n", " ").replace("\r", "")[: _LONGEST - len(self.value)]
        self.value = self.value[: self._at] + text + self.value[self._at :]
        self._at += len(text)
        self.refresh()
        self._typed(self.value)

    def render_line(self, y: int) -> Strip:
        """The label and the line, with the place where the next character goes."""
        width = self.size.width
        plain, strong = style_of(self, "cursor"), style_of(self, "accent")
        ground = Style(bgcolor=plain.bgcolor)
        room = max(4, width - cell_len(self._label) - 1)
        # The end of a long line is what is being typed.
        first = max(0, self._at - room + 1)
        shown = safe_line(self.value[first : first + room])
        at = self._at - first
        under, rest = shown[at : at + 1] or " ", shown[at + 1 :]
        hint = self._hint if not self.value else ""
        segments = [
            Segment(safe_line(self._label), strong + ground),
            Segment(shown[:at], plain),
            Segment(under, plain + Style(reverse=True)),
            Segment(rest, plain),
            Segment(f" {hint}", style_of(self, "dim") + ground),
        ]
        return Strip(segments).adjust_cell_length(width, plain)


def _word_back(value: str, at: int) -> tuple[str, int]:
    before = re.sub(r"\S*\s*$", "", value[:at])
    return before + value[at:], len(before)


_Edit = Callable[[str, int], tuple[str, int]]
_EDITS: dict[str, _Edit] = {
    "backspace": lambda value, at: (value[: max(0, at - 1)] + value[at:], max(0, at - 1)),
    "delete": lambda value, at: (value[:at] + value[at + 1 :], at),
    "left": lambda value, at: (value, max(0, at - 1)),
    "right": lambda value, at: (value, min(len(value), at + 1)),
    "home": lambda value, at: (value, 0),
    "end": lambda value, at: (value, len(value)),
    "ctrl+a": lambda value, at: (value, 0),
    "ctrl+e": lambda value, at: (value, len(value)),
    "ctrl+u": lambda value, at: (value[at:], 0),
    "ctrl+k": lambda value, at: (value[:at], at),
    "ctrl+w": _word_back,
}
