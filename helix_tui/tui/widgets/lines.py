"""Widgets that are drawn line by line of plain text with tones; markup is never looked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from helix_tui.tui.text import Span

TONES = frozenset(
    f"tone--{name}" for name in ("plain", "dim", "strong", "good", "warn", "bad", "title", "accent")
)


def style_of(widget: Widget, tone: str) -> Style:
    """How a tone looks in a widget under the theme in force."""
    return widget.get_component_rich_style(f"tone--{tone}", partial=False)


def strip_of(widget: Widget, spans: Sequence[tuple[str, str]], width: int) -> Strip:
    """One line of tones, cut or filled to a width."""
    segments = [Segment(text, style_of(widget, tone)) for text, tone in spans if text]
    strip = Strip(segments).simplify()
    return strip.adjust_cell_length(width, style_of(widget, "plain"))


def fit(text: str, width: int) -> str:
    """A text of just so many cells, with an ellipsis where it is cut."""
    if cell_len(text) <= width:
        return text + " " * (width - cell_len(text))
    return f"{set_cell_size(text, width - 1)}…" if width > 1 else set_cell_size(text, width)


class Lines(Widget):
    """A few lines that fit their place, or are cut."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(TONES)

    def lines(self, width: int, height: int) -> Sequence[Sequence[Span | tuple[str, str]]]:
        """What is shown in a place of this size."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width, height = self.size
        shown = self.lines(width, height)
        return strip_of(self, shown[y] if y < len(shown) else (), width)
