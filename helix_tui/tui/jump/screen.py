"""Jump mode: every widget that can have the keys gets a letter, which goes there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

# The keys under the fingers first.
LETTERS = "asdfghjklqwertyuiopzxcvbnm"


class JumpScreen(ModalScreen[Widget | None]):
    """Letters over the widgets of the screen below; any other key closes."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f2", "cancel", "close", show=False)]

    def __init__(self, below: Screen[None]) -> None:
        super().__init__()
        self._targets = dict(zip(LETTERS, targets_of(below), strict=False))

    def compose(self) -> ComposeResult:
        """A label on the upper edge of each widget, and what to press."""
        for letter, widget in self._targets.items():
            label = Static(f" {letter} ", classes="jump-label", markup=False)
            label.styles.offset = label_place(widget)
            yield label
        keys = "a letter goes there   esc closes" if self._targets else "nothing to go to   esc"
        yield Static(f" jump: {keys} ", id="jump-keys", markup=False)

    def on_key(self, event: events.Key) -> None:
        """A letter goes to its widget; what is no letter of one closes."""
        if event.key in ("escape", "f2"):
            return
        event.stop()
        event.prevent_default()
        self.dismiss(self._targets.get(event.key))

    def on_click(self) -> None:
        """A click closes."""
        self.dismiss(None)

    def on_resize(self) -> None:
        """Labels stay on their widgets."""
        labels = self.query(".jump-label")
        for label, widget in zip(labels, self._targets.values(), strict=True):
            label.styles.offset = label_place(widget)

    def action_cancel(self) -> None:
        """Close and go nowhere."""
        self.dismiss(None)


def targets_of(screen: Screen[None]) -> list[Widget]:
    """The widgets that can have the keys and can be seen, from top to bottom."""
    chain: Iterable[Widget] = screen.focus_chain
    seen = [widget for widget in chain if widget.region and widget.display]
    return sorted(seen, key=lambda widget: (widget.region.y, widget.region.x))


def label_place(widget: Widget) -> Offset:
    """Where the letter of a widget stands: on its first line, a little inside."""
    return Offset(widget.region.x + 1, widget.region.y)
