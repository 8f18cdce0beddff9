"""The catalog screen: patterns over the page of one, its versions, and what each changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.message import Message

from helix_tui.errors import NotFoundError
from helix_tui.text.filter import is_fitting
from helix_tui.text.safe import safe, safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.screen import HelixScreen, Movable
from helix_tui.tui.catalog.messages import CatalogLoaded, EditionsLoaded
from helix_tui.tui.catalog.rows import (
    SORTS,
    PatternRow,
    PatternSort,
    catalog_title,
    diff_lines,
    notes_lines,
    page_lines,
    place_of,
    rows_of,
    sorted_rows,
)
from helix_tui.tui.catalog.widget import PatternList
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.prompt import KEEPS_OR_CLEARS, Prompt
from helix_tui.tui.kit.text_pane import Line, PagePane
from helix_tui.tui.messages import OthersDecided, SourceOpened, SweepEnded, VerdictsFollowed

if TYPE_CHECKING:
    from helix_tui.engine.catalog.catalog_reader import Edition

_PANES = ("patterns", "page")
_EMPTY = "The catalog is empty; {candidate.approve} on the review screen approves a candidate."


class CatalogScreen(HelixScreen):
    """The list over the page; enter gives the page the whole screen."""

    SCOPE: ClassVar[str] = "catalog"
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "page", "item.copy": "copy", "list.sort": "sort", "pane.leave": "back",
        "sweep.start": "",
    }  # fmt: skip

    def __init__(self, row: object = None, at: int = 0) -> None:
        super().__init__()
        self._rows: Sequence[PatternRow] = ()
        self._editions: Sequence[Edition] = ()
        self._shown_id = ""
        self._at = 0
        self._is_diff = False
        self._damaged = 0
        self._wanted = ""
        self._sort: PatternSort = "status"

    def compose_body(self) -> ComposeResult:
        """The list over the page."""
        yield PaneTitle("Catalog", id="patterns-title")
        yield PatternList(id="patterns")
        yield PaneTitle("Page", "├┤", id="page-title")
        yield PagePane(id="page")
        yield PaneBottom(classes="bottom")

    def on_mount(self) -> None:
        """The list has the keys; patterns follow."""
        self.patterns.focus()
        if self.jobs.connection is not None:
            self.load()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The title of the focused pane stands out."""
        for name in _PANES:
            is_active = self.focused is not None and self.focused.id == name
            self.query_one(f"#{name}-title", PaneTitle).is_active = is_active
            self.query_one(f"#{name}").set_class(is_active, "-active")

    @property
    def patterns(self) -> PatternList:
        """The list."""
        return self.query_one(PatternList)

    @property
    def page(self) -> PagePane:
        """The page."""
        return self.query_one(PagePane)

    # Data

    @on(SourceOpened)
    @on(VerdictsFollowed)
    @on(OthersDecided)
    @on(SweepEnded)
    def _on_changed(self) -> None:
        self.load()

    def load(self) -> None:
        """Asks for the patterns, then for what is wrong with them, which takes longer."""

        def read() -> Message:
            from helix_tui.engine.catalog.catalog_reader import CatalogReader

            return CatalogLoaded(rows_of(CatalogReader(self.jobs.source.config).listing(), None), 0)

        def look() -> Message:
            from helix_tui.engine.catalog.catalog_reader import CatalogReader

            reader = CatalogReader(self.jobs.source.config)
            sound = reader.soundness()
            return CatalogLoaded(rows_of(reader.listing(), sound), len(sound.damaged))

        self.jobs.ask("catalog", read, self, "catalog", is_latest_only=True)
        self.jobs.ask("catalog check", look, self, "catalog", is_latest_only=True)

    @on(CatalogLoaded)
    def _on_loaded(self, event: CatalogLoaded) -> None:
        self._rows, self._damaged = event.rows, event.damaged
        self.patterns.is_loaded = True
        self._shown_id = ""
        self._show()

    def _show(self) -> None:
        before = self.patterns.current
        rows = [
            row
            for row in sorted_rows(self._rows, self._sort)
            if is_fitting(row.words, self._wanted)
        ]
        names = [row.id for row in rows]
        at = names.index(before.id) if before and before.id in names else 0
        self.patterns.is_filtered = bool(self._wanted)
        self.patterns.show(rows, at)
        title = self.query_one("#patterns-title", PaneTitle)
        title.detail = catalog_title(self._rows, len(rows), self._damaged)
        title.right = f"/{safe_line(self._wanted, 20)}" if self._wanted else f"{self._sort} ▼"
        self._show_current()

    @on(PatternList.CursorMoved)
    def _on_cursor(self) -> None:
        self._show_current()

    def _show_current(self) -> None:
        row = self.patterns.current
        name = row.id if row else ""
        if name == self._shown_id and name:
            return
        self._shown_id, self._editions, self._at, self._is_diff = name, (), 0, False
        self._draw()
        if row is None or not row.is_page:
            return

        def read() -> Message:
            from helix_tui.engine.catalog.catalog_reader import CatalogReader

            try:
                found = CatalogReader(self.jobs.source.config).editions(name)
            except NotFoundError:  # taken away since the list was read
                found = []
            return EditionsLoaded(name, found)

        self.jobs.ask("pattern", read, self, "pattern", is_latest_only=True)

    @on(EditionsLoaded)
    def _on_editions(self, event: EditionsLoaded) -> None:
        if event.pattern_id == self._shown_id:
            self._editions, self._at = event.editions, len(event.editions) - 1
            self._draw()

    def _draw(self) -> None:
        row, editions, at, is_diff = (
            self.patterns.current,
            self._editions,
            self._at,
            self._is_diff,
        )

        def lines(width: int) -> Sequence[Line]:
            if row is None:
                return []
            if not editions:
                reading: list[Line] = [[(" reading…", "dim")]] if row.is_page else []
                return [*notes_lines(row, width), *reading]
            if is_diff:
                return diff_lines(editions[at - 1] if at else None, editions[at], width)
            return page_lines(row, editions[at], self.with_keys(place_of(at, editions)), width)

        self.page.show(lines)
        title = self.query_one("#page-title", PaneTitle)
        title.label = "Diff" if is_diff else "Page"
        shown = safe_line(row.id, 80) if row else ""
        if is_diff and editions and at:
            shown += f" · {safe_line(editions[at - 1].version, 20)} to "
            shown += safe_line(editions[at].version, 20)
        title.detail = shown
        self.keys_changed()

    # Keys

    def refusal(self, action: Action) -> str:
        """What needs a pattern, or another version of it, does nothing without."""
        row = self.patterns.current
        if action.id in ("pane.open", "item.copy") and row is None:
            return self.with_keys(_EMPTY)
        if action.id in ("pattern.diff", "pattern.older", "pattern.newer"):
            if not self._editions:
                return "No page is shown."
            if action.id == "pattern.older" and self._at == 0:
                return "This is the first version."
            if action.id == "pattern.newer" and self._at == len(self._editions) - 1:
                return "This is the latest version."
        return super().refusal(action)

    def action_open(self) -> None:
        """The page on the whole screen."""
        self._read(True)
        self.page.focus()

    def _read(self, is_whole: bool) -> None:
        self.set_class(is_whole, "-reading")
        title = self.query_one("#page-title", PaneTitle)
        title.corners = "┌┐" if is_whole else "├┤"
        title.refresh()

    def action_leave(self) -> None:
        """Out of the diff, the page, the filter, the screen, in this order."""
        if self._is_diff:
            self.action_diff()
        elif self.has_class("-reading") or self.focused is self.page:
            self._read(False)
            self.patterns.focus()
        elif self._wanted:
            self._wanted = ""
            self._show()
        else:
            super().action_leave()

    def action_diff(self) -> None:
        """What the version changed, or its page again."""
        self._is_diff = not self._is_diff
        self._draw()

    def action_older(self) -> None:
        """The version before."""
        self._at = max(0, self._at - 1)
        self._draw()

    def action_newer(self) -> None:
        """The version after."""
        self._at = min(len(self._editions) - 1, self._at + 1)
        self._draw()

    def action_copy(self) -> None:
        """Copies the page where it has the keys, else the pattern's id."""
        row = self.patterns.current
        if row is None:
            return
        if self.focused is self.page and self._editions:
            self.app.copy_to_clipboard(safe(self._editions[self._at].text))
            self.notify("Copied the page.", timeout=2, markup=False)
            return
        self.app.copy_to_clipboard(safe_line(row.id))
        self.notify(f"Copied {safe_line(row.id, 60)}.", timeout=2, markup=False)

    def action_sort(self) -> None:
        """By status, by sessions, by title."""
        self._sort = SORTS[(SORTS.index(self._sort) + 1) % len(SORTS)]
        self._show()

    def action_filter(self) -> None:
        """Narrows the list as somebody types."""

        def narrow(text: str) -> None:
            self._wanted = text.strip()
            self._show()

        def keep(text: str) -> None:
            narrow(text)
            self.patterns.focus()

        self._read(False)
        self.query_one(Prompt).ask(
            "/", keep, value=self._wanted, typed=narrow, cancelled=lambda: keep(""),
            hint=f"words of title, id, status, agent; !not   {KEEPS_OR_CLEARS}",
        )  # fmt: skip

    def moving(self) -> Movable:
        """The page where it has the keys, else the list."""
        return self.page if self.focused is self.page else self.patterns
