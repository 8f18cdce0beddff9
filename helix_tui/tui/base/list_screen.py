"""Screens that are a list: filter, order, cursor, title; and those with a page below it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import attrgetter
from typing import Any, ClassVar, Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.timer import Timer

from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.screen import HelixScreen, Movable
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.prompt import KEEPS_OR_CLEARS, Prompt
from helix_tui.tui.kit.row_list import RowList
from helix_tui.tui.kit.text_pane import NOTHING, PagePane
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.messages import SourceOpened, SweepEnded

Row = TypeVar("Row")
# Of more rows than these, what was typed is shown first and the list a moment later.
_MANY = 5_000
_SECONDS_TO_FILTER = 0.03


class ListScreen(HelixScreen, Generic[Row]):
    """A screen whose list has the id `LIST`, and a title above it with the id `<LIST>-title`.

    A subclass reads rows in `load`, puts them into `all_rows` and calls `refill`. It says in
    `arranged` which rows are shown in which order, in `retitle` how many these are, in `no_rows`
    what to press where there are none, and in `show_current` what follows the cursor.
    """

    LIST: ClassVar[str]
    ORDERS: ClassVar[Sequence[str]] = ()
    # What can be filtered by, and what a filter that nothing fits says.
    FILTER_HINT: ClassVar[str] = ""
    NOTHING_FITS = "Nothing fits the filter. {list.filter} changes it, {pane.leave} clears it."
    # Actions that need a row under the cursor, and what they say without one.
    NEEDS_ROW: ClassVar[frozenset[str]] = frozenset({"pane.open", "item.copy"})
    NO_ROW: ClassVar[str] = "Nothing is under the cursor."
    # Whether a cursor on the first row stays there, on what has just come in.
    STAYS_AT_TOP: ClassVar[bool] = False
    # What tells a row from all others, also when the list is read again.
    row_id: Callable[[Any], Hashable] = attrgetter("id")

    def __init__(self, row: ReviewRow | None = None, at: int = 0) -> None:
        super().__init__(row, at)
        self.all_rows: Sequence[Row] = ()
        self.filter_text = ""
        self.order = self.ORDERS[0] if self.ORDERS else ""
        self._filter_timer: Timer | None = None

    def on_mount(self) -> None:
        """Give the list the keys, and ask for its rows behind the first frame."""
        self.list_title.is_active = True
        self.set_focus(self.row_list)
        if self.jobs.connection is not None:
            self.load()

    @property
    def row_list(self) -> RowList[Row]:
        """The list."""
        return self.query_one(f"#{self.LIST}", RowList)

    @property
    def list_title(self) -> PaneTitle:
        """The line above the list."""
        return self.query_one(f"#{self.LIST}-title", PaneTitle)

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.row_list.current

    # Data

    def load(self) -> None:
        """Ask for all rows."""
        raise NotImplementedError

    @on(SourceOpened)
    @on(SweepEnded)
    def _on_changed(self) -> None:
        self.load()

    def arranged(self) -> Sequence[Row]:
        """The rows that the filter leaves, in the order in force."""
        raise NotImplementedError

    def retitle(self, shown: int) -> None:
        """Say above the list how many rows are shown."""
        raise NotImplementedError

    def no_rows(self) -> Sequence[str]:
        """What to press where there is no row at all."""
        raise NotImplementedError

    def show_current(self) -> None:
        """Show what belongs to the row under the cursor."""

    def refill(self) -> None:
        """Show what the filter leaves, with the cursor on the same row."""
        rows_shown, before = self.row_list, self.row_list.current
        rows, row_id = self.arranged(), self.row_id
        index = 0
        if before is not None and not (self.STAYS_AT_TOP and rows_shown.cursor == 0):
            wanted = row_id(before)
            index = next((at for at, row in enumerate(rows) if row_id(row) == wanted), 0)
        rows_shown.empty = [self.NOTHING_FITS] if self.filter_text else self.no_rows()
        rows_shown.show(rows, index)
        self.list_title.right = self.narrowed_by()
        self.retitle(len(rows))
        self.show_current()
        self.keys_changed()

    def narrowed_by(self) -> str:
        """The filter, or else the order, for the right end of the title."""
        if self.filter_text:
            return f"/{safe_line(self.filter_text, 40)}"
        return f"{self.order} ▼" if self.order else ""

    @on(VirtualList.CursorMoved)
    def _on_cursor(self) -> None:
        self.show_current()

    @on(VirtualList.Chosen)
    async def _on_chosen(self) -> None:
        await self.run_action("open")

    # Keys

    def refusal(self, action: Action) -> str:
        """Say that what needs a row does nothing without."""
        if action.id in self.NEEDS_ROW and self.row_list.current is None:
            return self.with_keys(self.NO_ROW)
        return super().refusal(action)

    def moving(self) -> Movable | None:
        """Cursor keys move in the list."""
        return self.row_list

    def action_sort(self) -> None:
        """Put the list into the next order; the cursor stays on its row, or at the top."""
        is_at_top = self.row_list.cursor == 0
        orders = list(self.ORDERS)
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]
        self.refill()
        if is_at_top:
            self.row_list.move_to(0)

    def action_filter(self) -> None:
        """Narrow the list while somebody types."""
        self.query_one(Prompt).ask(
            "/", self.keep_filter, value=self.filter_text, typed=self._narrow_soon,
            cancelled=self.clear_filter, hint=f"{self.FILTER_HINT}   {KEEPS_OR_CLEARS}",
        )  # fmt: skip

    def narrow(self, text: str) -> None:
        """Show what a filter leaves."""
        self._stop_timer()
        self.filter_text = text.strip()
        self.refill()

    def _narrow_soon(self, text: str) -> None:
        self._stop_timer()
        if len(self.all_rows) < _MANY:
            self.narrow(text)
        else:
            self._filter_timer = self.set_timer(_SECONDS_TO_FILTER, lambda: self.narrow(text))

    def _stop_timer(self) -> None:
        if self._filter_timer is not None:
            self._filter_timer.stop()
            self._filter_timer = None

    def keep_filter(self, text: str) -> None:
        """Narrow the list for good, and give it the keys again."""
        self.set_focus(self.row_list)
        self.narrow(text)

    def clear_filter(self) -> None:
        """Show all rows again."""
        self.keep_filter("")

    def action_leave(self) -> None:
        """Out of the filter first, then out of the screen."""
        if self.filter_text:
            self.clear_filter()
        else:
            super().action_leave()

    def copy(self, text: str, name: str) -> None:
        """Copy a text, and say what it was."""
        self.app.copy_to_clipboard(text)
        self.notify(f"Copied {name}.", timeout=2, markup=False)


class PageListScreen(ListScreen[Row]):
    """A list over the page of the row under the cursor, which can have the whole screen.

    The page has the id `PAGE`, and a title above it with the id `<PAGE>-title`.
    """

    PAGE: ClassVar[str]
    TITLES: ClassVar[tuple[str, str]]

    def new_list(self) -> RowList[Row]:
        """The list, which has the id `LIST`."""
        raise NotImplementedError

    def compose_body(self) -> ComposeResult:
        """The list over the page."""
        list_name, page_name = self.TITLES
        yield PaneTitle(list_name, id=f"{self.LIST}-title")
        yield self.new_list()
        yield PaneTitle(page_name, "├┤", id=f"{self.PAGE}-title")
        yield PagePane(id=self.PAGE)
        yield PaneBottom(classes="bottom")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Let the title of the focused pane stand out."""
        for name in (self.LIST, self.PAGE):
            is_active = self.focused is not None and self.focused.id == name
            self.query_one(f"#{name}-title", PaneTitle).is_active = is_active
            self.query_one(f"#{name}").set_class(is_active, "-active")

    @property
    def page(self) -> PagePane:
        """The page."""
        return self.query_one(PagePane)

    @property
    def page_title(self) -> PaneTitle:
        """The line above the page."""
        return self.query_one(f"#{self.PAGE}-title", PaneTitle)

    def moving(self) -> Movable | None:
        """Cursor keys move in the page where it has the focus, else in the list."""
        return self.page if self.focused is self.page else self.row_list

    def refill(self) -> None:
        """Show what the filter leaves; where that is nothing, the page says so."""
        super().refill()
        if self.current is None and self.row_list.is_loaded:
            self.page.show(lambda _: NOTHING)

    def read_page(self, is_whole: bool) -> None:
        """Give the page the whole screen, or show both again."""
        self.set_class(is_whole, "-reading")
        self.page_title.corners = "┌┐" if is_whole else "├┤"
        self.page_title.refresh()
        self.set_focus(self.page if is_whole else self.row_list)

    def action_open(self) -> None:
        """Give the page the whole screen."""
        self.read_page(True)

    def action_leave(self) -> None:
        """Out of the page, the filter, the screen, in this order."""
        if self.has_class("-reading") or self.focused is self.page:
            self.read_page(False)
        else:
            super().action_leave()

    def action_filter(self) -> None:
        """Narrow the list, beside which the page is shown."""
        self.read_page(False)
        super().action_filter()
