"""How long a scrolled view is, told without laying out the screen that it is on."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView


def set_length(view: ScrollView, width: int, lines: int) -> None:
    """Say how many lines a view has; its own place on the screen does not follow from that.

    To assign `virtual_size` has Textual lay out the whole screen. `_scroll_update` does so only
    where a scrollbar comes or goes.
    """
    size = Size(width, lines)
    if view.virtual_size != size:
        view.set_reactive(ScrollView.virtual_size, size)
        view._scroll_update(size)
