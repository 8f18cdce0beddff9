"""Views that scroll, with no more drawn and laid out than looks otherwise."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView


class SteadyView(ScrollView):
    """Draws its scrollbar again only where that would look otherwise.

    Each layout of a screen, a toast's too, has Textual draw the scrollbars of all its views, in a
    frame of their own.
    """

    _measured: tuple[object, ...] = ()

    def _scroll_update(self, virtual_size: Size) -> None:
        if self._measures(virtual_size) != self._measured:
            super()._scroll_update(virtual_size)
            self._measured = self._measures(virtual_size)

    def _measures(self, virtual_size: Size) -> tuple[object, ...]:
        """All that a scrollbar follows from."""
        is_shown = self.show_vertical_scrollbar, self.show_horizontal_scrollbar
        return virtual_size, self.container_size, self.size, self.scroll_offset, is_shown


def set_length(view: ScrollView, width: int, lines: int) -> None:
    """Say how many lines a view has; its own place on the screen does not follow from that.

    To assign `virtual_size` has Textual lay out the whole screen. `_scroll_update` does so only
    where a scrollbar comes or goes.
    """
    size = Size(width, lines)
    if view.virtual_size != size:
        view.set_reactive(ScrollView.virtual_size, size)
        view._scroll_update(size)
