"""A pane of text that is laid out for its width, and scrolls."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.strip import Strip

from helix_tui.tui.kit.lines import strip_of
from helix_tui.tui.kit.scrolling import SteadyView, set_length

# A line as pieces of text, each with its tone.
Line = list[tuple[str, str]]
Layout = Callable[[int], Sequence[Line]]
_LEAST_WIDTH = 12
_MOST_LINES = 20_000


# What a pane says where no row is under the cursor.
NOTHING: Sequence[Line] = ([(" Nothing is selected.", "dim")],)


def _nothing(_: int) -> Sequence[Line]:
    return ()


class PagePane(SteadyView, can_focus=True, inherit_bindings=False):
    """Text of many lines; how it is broken is asked for anew when the width changes."""

    DEFAULT_CSS = "PagePane { overflow-x: hidden; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._layout: Layout = _nothing
        self._lines: Sequence[Line] = ()

    def show(self, layout: Layout, *, is_kept: bool = False) -> None:
        """Show another text, from its beginning unless the place is to be kept."""
        self._layout = layout
        self._lay_out()
        if not is_kept:
            self.scroll_home(animate=False, immediate=True)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def move(self, by: int) -> None:
        """Scroll by so many lines."""
        self.scroll_relative(y=by, animate=False, force=True)

    def move_page(self, by: int) -> None:
        """Scroll by so many pages."""
        self.scroll_relative(y=by * max(1, self.size.height - 1), animate=False, force=True)

    def move_to(self, index: int) -> None:
        """Scroll to a line."""
        self.scroll_to(y=index, animate=False, force=True)

    def on_resize(self) -> None:
        """Lay the text out for the new width."""
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if width < _LEAST_WIDTH:
            return
        self._lines = self._layout(width)[:_MOST_LINES]
        set_length(self, width, len(self._lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        at = int(self.scroll_offset.y) + y
        width = self.scrollable_content_region.width
        return strip_of(self, self._lines[at] if at < len(self._lines) else (), width)
