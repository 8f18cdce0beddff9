"""The lines around panes: each pane has its number and title in the line above it.

And the boxes that panes stand in.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive

from helix_tui.tui.kit.lines import Lines, Span, cut_behind_word, fit


class Row(Horizontal):
    """Panes side by side, which cover it: nothing of its own is drawn behind them."""

    BLANK = True


class Column(Vertical):
    """Panes one above the other, which cover it as well."""

    BLANK = True


class PaneTitle(Lines):
    """The line above a pane; `joint` continues the frame of the pane above."""

    label: reactive[str] = reactive("")
    detail: reactive[str] = reactive("")
    # What is said instead where the detail does not fit, the longest first.
    shorter: reactive[Sequence[str]] = reactive(())
    right: reactive[str] = reactive("")
    is_active: reactive[bool] = reactive(False)

    def __init__(self, label: str, corners: str = "┌┐", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.corners = corners
        self.set_reactive(PaneTitle.label, label)

    def lines(self, width: int, height: int) -> list[list[Span | tuple[str, str]]]:
        """The frame with the title in it."""
        tone = "accent" if self.is_active else "dim"
        right = f" {self.right} " if self.right else ""
        room = width - 2 - min(cell_len(right), width // 2)
        label = f" {self.label} "
        details = (*map(_behind_label, (self.detail, *self.shorter)),)
        detail = next((one for one in details if cell_len(label + one) <= room), details[-1])
        shown = cut_behind_word(label + detail, room)
        fill = "─" * max(0, room - cell_len(shown))
        return [
            [
                (self.corners[0], tone),
                (shown[: len(label)], "here" if self.is_active else "strong"),
                (shown[len(label) :], "plain"),
                (fill, tone),
                (fit(right, min(cell_len(right), width // 2)), "strong"),
                (self.corners[1], tone),
            ]
        ]


def _behind_label(detail: str) -> str:
    """A detail with the blanks around it: a dot parts it from the label already."""
    return f"{'' if detail.startswith('·') else ' '}{detail} " if detail else ""


class PaneBottom(Lines):
    """The line below the last pane of a column; where there is room it says something."""

    label: reactive[str] = reactive("")

    def lines(self, width: int, height: int) -> list[list[tuple[str, str]]]:
        """The lower edge."""
        label = f" {self.label} " if self.label else ""
        if cell_len(label) > width - 4:
            label = ""
        fill = "─" * (width - 3 - cell_len(label))
        return [[("└─", "dim"), (label, "accent"), (f"{fill}┘", "dim")]]
