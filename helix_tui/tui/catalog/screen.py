"""The catalog screen: patterns over the page of one, its versions, and what each changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message

from helix_tui.errors import NotFoundError
from helix_tui.text.filter import is_fitting
from helix_tui.text.safe import safe, safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.own_editor import open_in_editor
from helix_tui.tui.catalog.keys import NEEDS_PAGE, PatternKeysScreen
from helix_tui.tui.catalog.messages import (
    CatalogLoaded,
    EditionsLoaded,
    PatternsMeasured,
    PatternsTold,
)
from helix_tui.tui.catalog.page_text import diff_lines, notes_lines, page_lines, place_of
from helix_tui.tui.catalog.rows import SORTS, PatternRow, catalog_title, rows_of, sorted_rows
from helix_tui.tui.catalog.widget import PatternList
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.text_pane import Line
from helix_tui.tui.messages import OthersDecided, VerdictsFollowed

if TYPE_CHECKING:
    from helix_tui.engine.catalog.catalog_reader import Edition
    from helix_tui.schema.context import Told, ToldLine
    from helix_tui.schema.effect import EffectState

_NO_PATTERNS = (
    "The catalog is empty.",
    "{pane.leave} goes back to the candidates: {candidate.approve} makes one a pattern.",
)


class CatalogScreen(PatternKeysScreen):
    """The list over the page, or over what a version of the pattern changed."""

    SCOPE: ClassVar[str] = "catalog"
    LIST, PAGE, TITLES, ORDERS = "patterns", "page", ("Catalog", "Page"), SORTS
    FILTER_HINT = "words of title, id, status, effect, agent, told:; !not"
    NO_ROW = "The catalog is empty; {candidate.approve} on the review screen approves a candidate."
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "page", "item.copy": "copy", "list.sort": "sort", "pane.leave": "back",
        "sweep.start": "",
    }  # fmt: skip

    def __init__(self, row: ReviewRow | None = None, at: int = 0, *, pattern_id: str = "") -> None:
        super().__init__(row, at)
        self._wanted_id = pattern_id
        self._editions: Sequence[Edition] = ()
        self._shown_id = ""
        self._edition_index = 0
        self._is_diff = False
        self._damaged = 0
        self._told: Mapping[str, Told] = {}
        self._effects: Mapping[str, EffectState] = {}

    def new_list(self) -> PatternList:
        """The patterns."""
        return PatternList(id=self.LIST)

    # Data

    @on(VerdictsFollowed)
    @on(OthersDecided)
    def _on_decided(self) -> None:
        self.load()

    def load(self) -> None:
        """Ask for the patterns, then for what is wrong with them and told of them already."""

        def read() -> Message:
            from helix_tui.engine.catalog.catalog_reader import CatalogReader

            return CatalogLoaded(rows_of(CatalogReader(self.jobs.source.config).listing(), None), 0)

        def look() -> Message:
            from helix_tui.engine.catalog.catalog_reader import CatalogReader

            reader = CatalogReader(self.jobs.source.config)
            sound = reader.soundness()
            return CatalogLoaded(rows_of(reader.listing(), sound), len(sound.damaged))

        def tell() -> Message:
            from helix_tui.engine.catalog.catalog_reader import CatalogReader
            from helix_tui.engine.context.told_patterns import told_patterns

            config = self.jobs.source.config
            listing = CatalogReader(config).listing()
            return PatternsTold(told_patterns(config, listing.patterns.values()))

        self.jobs.ask("catalog", read, self, "catalog", is_latest_only=True)
        self.jobs.ask("catalog check", look, self, "catalog", is_latest_only=True)

        def measure() -> Message:
            source = self.jobs.source
            found = source.effects.all().measured if source.has_store() else []
            return PatternsMeasured({one.id: one.effect.state for one in found})

        self.jobs.ask("catalog told", tell, self, "catalog", is_latest_only=True)
        self.jobs.ask("catalog effect", measure, self, "catalog", is_latest_only=True)

    @on(CatalogLoaded)
    def _on_loaded(self, event: CatalogLoaded) -> None:
        self.all_rows, self._damaged = self._with_known(event.rows), event.damaged
        self.row_list.is_loaded = True
        self._shown_id = ""
        self.refill()
        at = next(
            (n for n, row in enumerate(self.row_list.rows) if row.id == self._wanted_id), None
        )
        if at is not None:
            self._wanted_id = ""
            self.row_list.move_to(at)

    @on(PatternsTold)
    def _on_told(self, event: PatternsTold) -> None:
        self._told = event.told
        self.all_rows = self._with_known(self.all_rows)
        self.refill()
        self._draw()

    @on(PatternsMeasured)
    def _on_measured(self, event: PatternsMeasured) -> None:
        self._effects = event.effects
        self.all_rows = self._with_known(self.all_rows)
        self.refill()

    def _with_known(self, rows: Sequence[PatternRow]) -> list[PatternRow]:
        """Rows with what is told of each, and whether it helped."""
        told, effects = self._told, self._effects
        return [
            row._replace(
                told=told[row.id].state if row.id in told else row.told,
                effect=effects.get(row.id, row.effect),
            )
            for row in rows
        ]

    def arranged(self) -> Sequence[PatternRow]:
        """The patterns that fit the filter, by status, by sessions or by title."""
        rows = sorted_rows(self.all_rows, self.order)
        return [row for row in rows if is_fitting(row.words, self.filter_text)]

    def retitle(self, shown: int) -> None:
        """Say how many patterns are shown, and what is wrong with them."""
        self.list_title.detail = catalog_title(self.all_rows, shown, self._damaged)

    def no_rows(self) -> Sequence[str]:
        """Say how a pattern comes into the catalog."""
        return _NO_PATTERNS

    def show_current(self) -> None:
        """Ask for the versions of the pattern under the cursor."""
        row = self.current
        name = row.id if row else ""
        if name == self._shown_id and name:
            return
        self._shown_id, self._editions, self._edition_index, self._is_diff = name, (), 0, False
        self._draw()
        if row is None or not row.is_page:
            return

        def read() -> Message:
            from helix_tui.engine.catalog.catalog_reader import CatalogReader

            try:
                editions = CatalogReader(self.jobs.source.config).editions(name)
            except NotFoundError:  # taken away since the list was read
                editions = []
            return EditionsLoaded(name, editions)

        self.jobs.ask("pattern", read, self, "pattern", is_latest_only=True)

    @on(EditionsLoaded)
    def _on_editions(self, event: EditionsLoaded) -> None:
        if event.pattern_id == self._shown_id:
            self._editions, self._edition_index = event.editions, len(event.editions) - 1
            self._draw()

    def _draw(self) -> None:
        row, editions, at, is_diff = (
            self.current,
            self._editions,
            self._edition_index,
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
            place = self.with_keys(place_of(at, editions))
            return page_lines(row, editions[at], place, self._told.get(row.id), width)

        self.page.show(lines)
        title = self.page_title
        title.label = "Diff" if is_diff else "Page"
        shown = safe_line(row.id, 80) if row else ""
        if is_diff and editions and at:
            shown += f" · {safe_line(editions[at - 1].version, 20)} to "
            shown += safe_line(editions[at].version, 20)
        title.detail = shown
        self.keys_changed()

    # Keys

    def _told_line(self) -> ToldLine | None:
        """The line that already says it, one in a file where there is one."""
        told = self._told.get(self.current.id) if self.current else None
        if told is None or told.state == "no":
            return None
        return next((line for line in told.lines if line.state != "recorded"), told.lines[0])

    def action_edit_told(self) -> None:
        """Open the line that already says it in one's own editor."""
        if line := self._told_line():
            open_in_editor(self, line.file, line.line)

    def refusal(self, action: Action) -> str:
        """What needs a pattern, or another version of it, does nothing without."""
        if action.id == "pattern.told" and self._told_line() is None:
            return "No line of instructions says it already."
        if action.id in NEEDS_PAGE and not self._editions:
            return "No page is shown."
        if action.id in ("pattern.diff", "pattern.older", "pattern.newer"):
            if not self._editions:
                return "No page is shown."
            if action.id == "pattern.older" and self._edition_index == 0:
                return "This is the first version."
            if action.id == "pattern.newer" and self._edition_index == len(self._editions) - 1:
                return "This is the latest version."
        return super().refusal(action)

    def action_leave(self) -> None:
        """Out of the diff, the page, the filter, the screen, in this order."""
        if self._is_diff:
            self.action_diff()
        else:
            super().action_leave()

    def open_screen(self, name: str) -> None:
        """Open a screen; whether patterns helped, at the one under the cursor."""
        is_open = any(getattr(one, "SCOPE", "") == name for one in self.app.screen_stack)
        if name == "effect" and self.current is not None and not is_open:
            self.push("effect", pattern_id=self.current.id)
        else:
            super().open_screen(name)

    def action_diff(self) -> None:
        """What the version changed, or its page again."""
        self._is_diff = not self._is_diff
        self._draw()

    def action_older(self) -> None:
        """The version before."""
        self._edition_index = max(0, self._edition_index - 1)
        self._draw()

    def action_newer(self) -> None:
        """The version after."""
        self._edition_index = min(len(self._editions) - 1, self._edition_index + 1)
        self._draw()

    def action_copy(self) -> None:
        """Copy the page where it has the keys, else the pattern's id."""
        row = self.current
        if row is None:
            return
        if self.focused is self.page and self._editions:
            self.copy(safe(self._editions[self._edition_index].text), "the page")
        else:
            self.copy(safe_line(row.id), safe_line(row.id, 60))
