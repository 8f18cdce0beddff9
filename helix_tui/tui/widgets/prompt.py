"""One line to type in, above the footer: a filter, a note, until when to snooze."""

from __future__ import annotations

from collections.abc import Callable

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Label

from helix_tui.text.safe import safe_line
from helix_tui.tui.widgets.fields import Field

Told = Callable[[str], None]
Check = Callable[[str], str]


def _nothing(_: str) -> None:
    """Nobody listens."""


def _no_fault(_: str) -> str:
    return ""


class Prompt(Horizontal):
    """Asks for a line; enter hands it over, escape closes."""

    def __init__(self) -> None:
        super().__init__(classes="-closed")
        self._typed: Told = _nothing
        self._done: Told = _nothing
        self._check: Check = _no_fault
        self._cancelled: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        """A label and the line."""
        yield Label("", id="prompt-label", markup=False)
        yield Field(id="prompt-line", compact=True, select_on_focus=False)

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
        """Opens the line; `typed` is told of every change, `done` of enter.

        Where `check` says what is wrong with a text, that is told and the line stays open.
        """
        self._typed, self._done, self._cancelled = _nothing, done, cancelled
        self._check = check
        self.query_one("#prompt-label", Label).update(label)
        line = self.query_one(Input)
        line.placeholder = hint
        with line.prevent(Input.Changed):
            line.value = value
        line.cursor_position = len(value)
        self._typed = typed
        self.remove_class("-closed")
        # What was told before goes, and what is told now does not cover the line.
        self.app.clear_notifications()
        self.screen.add_class("-asking")
        line.focus()

    def close(self) -> None:
        """Puts the line away."""
        self.add_class("-closed")
        self.screen.remove_class("-asking")
        self._typed = self._done = _nothing

    @on(Input.Changed)
    def _on_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._typed(event.value)

    @on(Input.Submitted)
    def _on_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if reason := self._check(event.value):
            self.notify(safe_line(reason, 400), severity="error", markup=False)
            return
        done = self._done
        self.close()
        done(event.value)

    def on_key(self, event: events.Key) -> None:
        """Escape closes; other keys are the line's."""
        if event.key == "escape":
            event.stop()
            event.prevent_default()
            self.close()
            self._cancelled()
