"""The review screen: what came in, what it takes, what recurs, and why it is believed."""

from __future__ import annotations

import gc
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.screen import Movable
from helix_tui.tui.kit.candidate_row import let_go, rows_of
from helix_tui.tui.kit.frame import Column, PaneBottom, PaneTitle, Row
from helix_tui.tui.kit.lines import title_width
from helix_tui.tui.messages import (
    CandidatesFound,
    SourceOpened,
    SweepEnded,
    SweepProgressed,
    SweepReported,
)
from helix_tui.tui.review.budget_pane import BudgetPane
from helix_tui.tui.review.candidate_filter import all_orders, parse_filter
from helix_tui.tui.review.candidate_list import CandidateHeader, CandidateList
from helix_tui.tui.review.draft_pane import DraftPane
from helix_tui.tui.review.evidence_pane import EvidencePane
from helix_tui.tui.review.hints import next_hint
from helix_tui.tui.review.ingest_pane import IngestPane
from helix_tui.tui.review.messages import BoardLoaded, BudgetLoaded, StatusLoaded
from helix_tui.tui.review.views import ViewsScreen
from helix_tui.tui.screens import load_screens

_PANES = ("ingest", "budget", "candidates", "evidence", "draft")
_BOXES = ("status-column", "review-column", "below", "evidence-column", "draft-column")
_GROWTH = 24
_SECONDS_BETWEEN_LOOKS = 3.0
# From which size on status and budget have a column, and the draft its place beside the evidence.
_WIDE, _TALL, _BESIDE = 140, 30, 110
# The list takes as many lines as it has rows, but for these.
_LEAST_ROWS, _MOST_OF_HEIGHT, _MOST_STACKED = 4, 0.4, 0.35
# From so many lines on a long title has two of them.
_LEAST_TO_WRAP = 10


class ReviewScreen(ViewsScreen):
    """Five panes for triage without the mouse."""

    SCOPE: ClassVar[str] = "review"

    def __init__(self) -> None:
        super().__init__()
        self._watch: Timer | None = None

    def compose_body(self) -> ComposeResult:
        """Status on the left, the list over evidence and draft on the right.

        The first frame has the layout that this size gets: none is drawn to be taken back.
        """
        self._fit_size(self.app.size)
        corners = self._corners(self.app.size)
        with Row(id="review"):
            with Column(id="status-column"):
                yield PaneTitle(self.with_keys("{pane.focus_1} Ingest"), id="ingest-title")
                yield IngestPane(id="ingest")
                yield PaneTitle(self.with_keys("{pane.focus_2} Budget"), "├┤", id="budget-title")
                yield BudgetPane(id="budget")
                yield PaneBottom(classes="bottom")
            with Column(id="review-column"):
                yield PaneTitle(self.with_keys("{pane.focus_3} Candidates"), id="candidates-title")
                yield CandidateHeader(self.table, id="candidates-header")
                candidates = CandidateList(self.table, id="candidates")
                candidates.styles.height = _LEAST_ROWS
                yield candidates
                yield PaneBottom(id="candidates-bottom")
                with Row(id="below"):
                    with Column(id="evidence-column"):
                        title = self.with_keys("{pane.focus_4} Evidence")
                        yield PaneTitle(title, corners["evidence"], id="evidence-title")
                        yield EvidencePane(id="evidence")
                        yield PaneBottom(classes="bottom")
                    with Column(id="draft-column"):
                        title = self.with_keys("{pane.focus_5} Draft")
                        yield PaneTitle(title, corners["draft"], id="draft-title")
                        yield DraftPane(id="draft")
                        yield PaneBottom(classes="bottom")

    def on_mount(self) -> None:
        """The list has the keys; data follows the first frame."""
        self.set_focus(self.candidates)
        self.retitle()
        self.show_hint()
        self.watch(self.candidates, "show_vertical_scrollbar", self._draw_header, init=False)

    def on_resize(self, event: events.Resize) -> None:
        """Smaller screens have status and budget on a line each, narrow ones one pane a row."""
        self._fit_size(event.size)
        for name, corners in self._corners(event.size).items():
            title = self.query_one(f"#{name}-title", PaneTitle)
            title.corners = "┌┐" if title.has_class("-zoom") else corners
        self._fit_list()
        # How many lines titles take is known when the list has its width.
        self.call_after_refresh(self._fit_list)
        self.retitle()
        self.title_evidence()

    def _fit_size(self, size: Size) -> None:
        """Choose the layout for a size."""
        width, height = size
        is_narrow = width < _BESIDE
        before = self.classes
        self.set_class(width < _WIDE or height < _TALL, "-small", update=False)
        self.set_class(is_narrow, "-stacked", update=False)
        if self.classes != before:  # one pass of the stylesheet for both
            self.update_node_styles()

    @staticmethod
    def _corners(size: Size) -> dict[str, str]:
        """How the titles of evidence and draft go on from the frame above them."""
        if size.width < _BESIDE:
            return {"evidence": "├┤", "draft": "├┤"}
        return {"evidence": "├┐", "draft": "┌┤"}

    def show_hint(self) -> None:
        """Say at the lower edge what a newcomer may do next."""
        # Keys that need a candidate are no help where there is none.
        has_row = self.candidates.current is not None
        hint = next_hint(self.station.preferences) if has_row else None
        bottom = self.query_one("#draft-column .bottom", PaneBottom)
        bottom.label = self.with_keys(hint.text) if hint is not None else ""

    def refill(self, wanted: str | None = None, cursor: int | None = None) -> None:
        """Draw what the table has now; what a newcomer may do depends on whether there is any."""
        super().refill(wanted, cursor)
        self.show_hint()

    def _draw_header(self) -> None:
        self.query_one(CandidateHeader).refresh()

    def _fit_list(self) -> None:
        """Give the list as many lines as it needs, up to its share; evidence has the rest."""
        most = self._most_lines
        self._wrap_titles()
        if self.candidates.has_class("-zoom"):
            self.candidates.styles.height = "1fr"
            return
        lines = self.candidates.lines_of_rows(most)
        self.candidates.styles.height = max(_LEAST_ROWS, min(lines, most))

    @property
    def _most_lines(self) -> int:
        share = _MOST_STACKED if self.has_class("-stacked") else _MOST_OF_HEIGHT
        return int(self.size.height * share) - 2

    def _wrap_titles(self) -> None:
        """Long titles have a second line where the list is high enough, or alone on the screen."""
        wraps = self._most_lines >= _LEAST_TO_WRAP or self.candidates.has_class("-zoom")
        if wraps != self.candidates.wraps:
            self.candidates.wraps = wraps
            self.candidates.redraw()

    def watch_focused(self) -> None:
        """The title of the focused pane stands out, in the frame in which it gets the keys."""
        focused = self.focused.id if self.focused else None
        for name in _PANES:
            self.query_one(f"#{name}-title", PaneTitle).is_active = name == focused
        self.keys_changed()

    # Data

    @on(SourceOpened)
    def _on_source(self, event: SourceOpened) -> None:
        self.query_one(IngestPane).notice = event.notice
        self.candidates.folder = str(self.jobs.source.config.curate.catalog_dir)
        if event.has_store:
            self.load()
        else:
            # A first run: what there is shows while it is taken in.
            self.candidates.is_loaded = True
            self.candidates.redraw()
            self.show_evidence()
            self._load_status()
            self.action_start_sweep()
        self.jobs.do("load the screens", load_screens, "board")

    def load(self) -> None:
        """Ask for everything that is shown; each part is drawn when it comes."""
        self._load_status()
        self.load_board()

    def load_board(self) -> None:
        """Ask for the candidates and what the next sweep would evict."""

        changes = self.table.changes

        def board() -> Message:
            listing = self.jobs.source.candidates.listing()
            rows = rows_of(listing.listed)
            orders = all_orders(rows.values())
            return BoardLoaded(
                rows, orders, listing.stale, listing.troubles, changes, listing.seen,
                title_width(row.title for row in rows.values() if row.is_asked),
            )  # fmt: skip

        def budget() -> Message:
            source = self.jobs.source
            return BudgetLoaded(source.retain(is_dry_run=True), source.growth(_GROWTH))

        self.jobs.ask("candidates", board, self, "board", is_latest_only=True)
        self.jobs.ask("budget", budget, self, "board")

    @on(StatusLoaded)
    def _on_status(self, event: StatusLoaded) -> None:
        self.query_one(IngestPane).show(event.status, self.station.clock)
        self.query_one(BudgetPane).show(event.status)

    @on(BudgetLoaded)
    def _on_budget(self, event: BudgetLoaded) -> None:
        self.query_one(BudgetPane).show_plan(event.plan, event.growth)

    @on(BoardLoaded)
    def _on_board(self, event: BoardLoaded) -> None:
        current = self.candidates.current
        self.candidates.is_loaded = True
        gone = self.table.load(event.rows, event.orders, event.changes)
        self.jobs.do("free the board of before", lambda: let_go(gone), "board")
        gc.freeze()  # so many objects that live on would hold up keys whenever they are looked at
        self.station.evidence.clear()
        self.station.told.clear()
        self._asked_id = ""
        self.drafts_changed()
        self.table.title_width = event.title_width
        self.candidates.redraw()
        self._draw_header()
        self.station.deciding.saw(event.seen)
        self.refill(current.id if current else None)
        self._fit_list()
        # While our own sweep runs, that something is not grouped yet is no news.
        stale = "" if self.jobs.is_sweeping else event.stale
        for trouble in (stale, *event.troubles):
            if trouble:
                self.notify(safe_line(trouble, 300), severity="warning", markup=False)

    @on(SweepProgressed)
    def _on_sweeping(self, event: SweepProgressed) -> None:
        self.query_one(IngestPane).show_sweep(event.state)
        if self._watch is None:
            self.candidates.is_sweeping = True
            self.candidates.redraw()
            self._watch = self.set_interval(_SECONDS_BETWEEN_LOOKS, self._load_status)

    def _load_status(self) -> None:
        """Ask for what the store holds; while a sweep runs, again and again."""

        def status() -> Message:
            return StatusLoaded(self.jobs.source.status())

        self.jobs.ask("status", status, self, "status", is_latest_only=True)

    @on(CandidatesFound)
    def _on_found(self) -> None:
        """The first sweep goes on, and what is in so far can be reviewed."""
        self.load_board()

    @on(SweepReported)
    def _on_reported(self) -> None:
        self.candidates.is_loaded = len(self.table) > 0
        self.candidates.redraw()
        self.load()

    @on(SweepEnded)
    def _on_swept(self, event: SweepEnded) -> None:
        self.query_one(IngestPane).show_sweep(None)
        if self._watch is not None:
            self.candidates.is_sweeping = False
            self.candidates.redraw()
            self._watch.stop()
            self._watch = None
        if event.report is None and not event.trouble:
            self.load()

    # Panes

    def refusal(self, action: Action) -> str:
        """What needs evidence does nothing without."""
        if action.id in ("evidence.copy", "session.pin") and self._occurrence() is None:
            return "No evidence is shown."
        if action.id == "pane.open":
            wanted = self._opened_by_focus()
            return "" if not wanted else super().refusal(action._replace(opens=wanted))
        return super().refusal(action)

    def _opened_by_focus(self) -> str:
        name = self.focused.id if self.focused else ""
        return {"ingest": "sessions", "budget": "budget"}.get(name or "", "evidence")

    def footer_word(self, action: Action) -> str:
        """Enter opens what has the focus."""
        return self._opened_by_focus() if action.id == "pane.open" else action.footer

    def action_open(self) -> None:
        """Into what has the focus."""
        self.open_screen(self._opened_by_focus())

    def action_leave(self) -> None:
        """Out of a zoomed pane, marks, the filter, back to the list, in this order."""
        if self.has_class("-zoomed"):
            self.action_zoom()
        elif self.table.marked:
            self.table.marked.clear()
            self.candidates.refresh()
            self.retitle()
        elif self.focused is not self.candidates:
            self.set_focus(self.candidates)
        elif self.table.wanted.text:
            current = self.candidates.current
            self.table.narrow(parse_filter(""))
            self.refill(current.id if current else None)

    def action_focus_pane(self, number: int) -> None:
        """To a pane by its number."""
        pane = self.query_one(f"#{_PANES[number - 1]}")
        if self.has_class("-zoomed"):
            self._zoom(pane)
        self.set_focus(pane)

    def action_zoom(self) -> None:
        """One pane on the whole screen, or all of them again."""
        if self.has_class("-zoomed"):
            self._zoom(None)
        else:
            self._zoom(
                self.focused if self.focused and self.focused.id in _PANES else self.candidates
            )

    def _zoom(self, pane: Widget | None) -> None:
        # Each class that is told of would be a pass of the stylesheet: only the last one is.
        was_list = self.candidates.has_class("-zoom")
        corners = {"budget": "├┤", **self._corners(self.size)}
        for name in _PANES:
            is_shown = pane is not None and pane.id == name
            self.query_one(f"#{name}").set_class(is_shown, "-zoom", update=False)
            title = self.query_one(f"#{name}-title", PaneTitle)
            title.set_class(is_shown, "-zoom", update=False)
            title.corners = "┌┐" if is_shown else corners.get(name, "┌┐")
        for name in ("candidates-header", "candidates-bottom"):
            self.query_one(f"#{name}").set_class(pane is self.candidates, "-zoom", update=False)
        around = set(pane.ancestors) if pane is not None else set()
        for name in _BOXES:
            box = self.query_one(f"#{name}")
            box.set_class(box in around, "-zoom", update=False)
        self.set_class(pane is not None, "-zoomed", update=False)
        if was_list or pane is self.candidates:
            self._fit_list()
        # Nothing outside of the panes is drawn otherwise.
        self.query_one("#review").update_node_styles()

    def moving(self) -> Movable | None:
        """Cursor keys move in the list unless a pane that scrolls has the focus."""
        return super().moving() or self.candidates
