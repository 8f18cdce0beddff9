"""Lines of tones that are broken for the width and scroll."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.scroll_view import ScrollView
from textual.strip import Strip

from helix_tui.tui.kit.lines import Toned, strip_of
from helix_tui.tui.kit.scrolling import set_length

Drawn = Callable[[int], Sequence[Sequence[Toned]]]


class SideView(ScrollView, can_focus=True, inherit_bindings=False):
    """What stands beside something that is being written or chosen."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draw: Drawn = lambda _: ()
        self._lines: Sequence[Sequence[Toned]] = ()

    def show(self, draw: Drawn) -> None:
        """Shows what `draw` makes for a width; where it is scrolled to stays."""
        self._draw = draw
        self._lay_out()

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def move(self, by: int) -> None:
        """Scrolls by so many lines."""
        self.scroll_relative(y=by, animate=False, force=True)

    def move_page(self, by: int) -> None:
        """Scrolls by so many pages."""
        self.scroll_relative(y=by * max(1, self.size.height - 1), animate=False, force=True)

    def move_to(self, index: int) -> None:
        """Scrolls to a line."""
        self.scroll_to(y=index, animate=False, force=True)

    def on_resize(self) -> None:
        """Breaks lines for the new width."""
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if width < 8:
            return
        self._lines = self._draw(width - 2)
        set_length(self, width, len(self._lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        at = int(self.scroll_offset.y) + y
        width = self.scrollable_content_region.width
        spans = self._lines[at] if at < len(self._lines) else ()
        return strip_of(self, [(" ", "plain"), *spans], width)
