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
# A row by its number, and which of its lines.
Place = tuple[int, int]


class VirtualList(SteadyView, can_focus=True, inherit_bindings=False):
    """Rows with a cursor, of one line each unless `row_height` says otherwise.

    A subclass draws a row in `row_strip` and says in `row_key` what a drawn row depends on, so
    that it need not be drawn again. Keys are the screen's, by the registry. It scrolls by rows:
    how high those are that nobody sees is never asked.
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
        # How high rows are at a width, and what is in sight from a row on in a place of a size.
        self._heights: dict[tuple[int, int], int] = {}
        self._places: tuple[tuple[int, ...], list[Place]] = ((), [])

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
        """A row as it is drawn, or the first line of it."""
        raise NotImplementedError

    def row_height(self, index: int, width: int) -> int:
        """How many lines a row takes."""
        return 1

    def lower_strip(self, index: int, line: int, width: int, *, is_cursor: bool) -> Strip:
        """A line of a row below its first."""
        return Strip.blank(width)

    def rows_changed(self, count: int, cursor: int | None = None) -> None:
        """Take note of other rows; the cursor stays where it is unless told otherwise."""
        self._count = count
        wanted = self.cursor if cursor is None else cursor
        at = max(0, min(wanted, count - 1))
        self._measure()
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
        self._measure()
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
        seen = {index for index, _ in self._in_sight()}
        self.move(by * max(1, len(seen) - 1))

    def watch_cursor(self, before: int, now: int) -> None:
        """Draw the two rows that changed, and scroll where that is needed."""
        if before == now:
            return
        self._show_cursor()
        self.refresh_row(before)
        self.refresh_row(now)
        self.post_message(self.CursorMoved(self, now))

    def _show_cursor(self) -> None:
        height = self.scrollable_content_region.height
        if height <= 0:
            return
        top = int(self.scroll_offset.y)
        highest = self._top_above(self.cursor, height)
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, force=True, immediate=True)
        elif top < highest:
            self.scroll_to(y=highest, animate=False, force=True, immediate=True)

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self._measure()
        self._show_cursor()

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one chooses the row."""
        index, _ = self._place(event.y)
        if index >= self._count:
            return
        self.move_to(index)
        if event.chain > 1:
            self.post_message(self.Chosen(index))

    # How high rows are

    def lines_of_rows(self, most: int) -> int:
        """How many lines all rows take, or more than so many."""
        lines = 0
        for index in range(self._count):
            lines += self._height(index)
            if lines > most:
                break
        return lines

    def _measure(self) -> None:
        """Say how far it scrolls: until the last rows are in sight with all their lines."""
        self._forget_heights()
        width, height = self.scrollable_content_region.size
        last = self._top_above(self._count - 1, height)
        set_length(self, width, last + height if last else self._count)

    def _forget_heights(self) -> None:
        self._heights.clear()
        self._places = (), []

    def _height(self, index: int) -> int:
        width = self.scrollable_content_region.width
        height = self._heights.get((index, width))
        if height is None:
            height = self._heights[index, width] = self.row_height(index, width)
        return height

    def _top_above(self, index: int, height: int) -> int:
        """The highest row that is in sight together with all lines of another below it."""
        top, room = index, height - (self._height(index) if index >= 0 else 0)
        while top > 0 and room >= (above := self._height(top - 1)):
            room -= above
            top -= 1
        return max(top, 0)

    def _in_sight(self) -> list[Place]:
        """What each line of the screen shows, as far as there are rows."""
        width, height = self.scrollable_content_region.size
        top = int(self.scroll_offset.y)
        if self._places[0] != (top, width, height):
            places: list[Place] = []
            index = top
            while len(places) < height and index < self._count:
                places += [(index, line) for line in range(self._height(index))]
                index += 1
            self._places = (top, width, height), places[:height]
        return self._places[1]

    def _place(self, y: int) -> Place:
        """What a line of the screen shows; behind the last row nothing."""
        places = self._in_sight()
        return places[y] if 0 <= y < len(places) else (self._count, 0)

    def _line_key(self, y: int) -> tuple[Hashable, ...]:
        """What a line of the screen is drawn by."""
        width = self.scrollable_content_region.width
        index, line = self._place(y)
        if index >= self._count:
            empty = self.empty_lines if not self._count else []
            # A sentence of ours: the keys in it are those in force.
            sentence = (
                with_keys(empty[y], getattr(self.app, "keymap", {})) if y < len(empty) else ""
            )
            return sentence, width
        is_cursor = index == self.cursor
        return self.row_key(index), line, width, is_cursor, is_cursor and self.has_focus

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        key = self._drawn[y] = self._line_key(y)
        width = self.scrollable_content_region.width
        index, line = self._place(y)
        if index >= self._count:
            return strip_of(self, [(str(key[0]), "dim")], width)
        strip = self._strips.get(key)
        if strip is None:
            is_cursor = index == self.cursor
            if line:
                strip = self.lower_strip(index, line, width, is_cursor=is_cursor)
            else:
                strip = self.row_strip(index, width, is_cursor=is_cursor)
            self._strips[key] = strip
        return strip

    def refresh_row(self, index: int) -> None:
        """Draw the lines of one row again."""
        for y, (shown, _) in enumerate(self._in_sight()):
            if shown == index:
                self.refresh(Region(0, y, self.size.width, 1))
