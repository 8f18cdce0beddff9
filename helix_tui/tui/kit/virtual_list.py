"""A list that draws only what is seen: 100,000 rows open as fast as 100."""

from __future__ import annotations

from collections.abc import Hashable

from textual import events
from textual.cache import LRUCache
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from helix_tui.tui.actions import with_keys
from helix_tui.tui.kit.lines import READING, strip_of
from helix_tui.tui.kit.scrolling import SteadyView, set_length

_CACHED_STRIPS = 1_024
_MOST_SINGLE_LINES = 6  # more of them are drawn sooner as a whole


class VirtualList(SteadyView, can_focus=True, inherit_bindings=False):
    """Rows of one line each, with a cursor.

    A subclass draws a row in `row_strip` and says in `row_key` what a drawn row depends on, so
    that it need not be drawn again. Keys are the screen's, by the registry.
    """

    DEFAULT_CSS = "VirtualList { overflow-x: hidden; }"
    cursor: reactive[int] = reactive(0, repaint=False)
    waiting = READING

    class CursorMoved(Message):
        """Another row is under the cursor."""

        def __init__(self, rows: VirtualList, index: int) -> None:
            super().__init__()
            self.rows = rows
            self.index = index

        @property
        def control(self) -> VirtualList:
            """The list, for `@on` selectors."""
            return self.rows

    class Chosen(Message):
        """A row was clicked twice."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._strips: LRUCache[tuple[Hashable, ...], Strip] = LRUCache(_CACHED_STRIPS)
        self._count = 0
        self._drawn: dict[int, Hashable] = {}  # what each line of the screen was drawn by

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._count

    @property
    def empty_lines(self) -> list[str]:
        """What stands there while there are no rows: what to press."""
        return []

    def row_key(self, index: int) -> Hashable:
        """What the drawing of a row depends on, besides width and cursor."""
        raise NotImplementedError

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        """A row as it is drawn."""
        raise NotImplementedError

    def rows_changed(self, count: int, cursor: int | None = None) -> None:
        """Take note of other rows; the cursor stays where it is unless told otherwise."""
        self._count = count
        wanted = self.cursor if cursor is None else cursor
        at = max(0, min(wanted, count - 1))
        set_length(self, self.scrollable_content_region.width, count)
        is_same = at == self.cursor
        self.set_reactive(VirtualList.cursor, at)
        self._show_cursor()
        self._refresh_changed()
        if not is_same or count:
            self.post_message(self.CursorMoved(self, at))

    def _refresh_changed(self) -> None:
        """Draw those lines again that would look otherwise."""
        changed = [
            y
            for y in range(self.scrollable_content_region.height)
            if self._line_key(y) != self._drawn.get(y)
        ]
        if len(changed) > _MOST_SINGLE_LINES:
            self.refresh()
            return
        for y in changed:
            self.refresh(Region(0, y, self.size.width, 1))

    def redraw(self) -> None:
        """Draw all rows anew, as when the theme changed."""
        self._strips.clear()
        self._drawn.clear()
        self.refresh()

    def notify_style_update(self) -> None:
        """What was drawn under other styles is not shown again."""
        super().notify_style_update()
        self._strips.clear()
        self._drawn.clear()

    def move_to(self, index: int) -> None:
        """Put the cursor on a row."""
        if self._count:
            self.cursor = max(0, min(index, self._count - 1))

    def move(self, by: int) -> None:
        """Move the cursor by so many rows."""
        self.move_to(self.cursor + by)

    def move_page(self, by: int) -> None:
        """Move the cursor by so many pages."""
        self.move(by * max(1, self.scrollable_content_region.height - 1))

    def watch_cursor(self, before: int, now: int) -> None:
        """Draw the two rows that changed, and scroll where that is needed."""
        if before == now:
            return
        self._show_cursor()
        self.refresh_line(before)
        self.refresh_line(now)
        self.post_message(self.CursorMoved(self, now))

    def _show_cursor(self) -> None:
        height = self.scrollable_content_region.height
        if height <= 0:
            return
        top = int(self.scroll_offset.y)
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, force=True, immediate=True)
        elif self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False, force=True, immediate=True)

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        set_length(self, self.scrollable_content_region.width, self._count)
        self._show_cursor()

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one chooses the row."""
        index = int(self.scroll_offset.y) + event.y
        if index >= self._count:
            return
        self.move_to(index)
        if event.chain > 1:
            self.post_message(self.Chosen(index))

    def _line_key(self, y: int) -> tuple[Hashable, ...]:
        """What a line of the screen is drawn by."""
        width = self.scrollable_content_region.width
        index = int(self.scroll_offset.y) + y
        if index >= self._count:
            empty = self.empty_lines if not self._count else []
            # A sentence of ours: the keys in it are those in force.
            sentence = (
                with_keys(empty[y], getattr(self.app, "keymap", {})) if y < len(empty) else ""
            )
            return sentence, width
        is_cursor = index == self.cursor
        return self.row_key(index), width, is_cursor, is_cursor and self.has_focus

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        key = self._drawn[y] = self._line_key(y)
        width = self.scrollable_content_region.width
        index = int(self.scroll_offset.y) + y
        if index >= self._count:
            return strip_of(self, [(str(key[0]), "dim")], width)
        strip = self._strips.get(key)
        if strip is None:
            strip = self.row_strip(index, width, is_cursor=index == self.cursor)
            self._strips[key] = strip
        return strip

    def refresh_line(self, y: int) -> None:
        """Draw one row again."""
        at = y - int(self.scroll_offset.y)
        if 0 <= at < self.size.height:
            self.refresh(Region(0, at, self.size.width, 1))
