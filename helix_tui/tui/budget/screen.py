"""The budget screen: what is kept by tier and agent, how it grew, and what goes next and why."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.message import Message

from helix_tui.text.filter import is_fitting
from helix_tui.text.safe import safe_line
from helix_tui.tui.base.list_screen import ListScreen
from helix_tui.tui.base.pinning import pin_session, say_pinned
from helix_tui.tui.budget.messages import HoldingsLoaded
from helix_tui.tui.budget.rows import (
    SORTS,
    BudgetSummary,
    Holding,
    holdings_of,
    plan_title,
    sorted_holdings,
    summary_of,
)
from helix_tui.tui.budget.widget import Gauges, HoldingList
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.messages import SessionPinned, SweepReported

_GROWTH = 24
_LEAST_ROWS = 6


class BudgetScreen(ListScreen[Holding]):
    """Gauges over the sessions in the order in which their raw bytes go."""

    SCOPE: ClassVar[str] = "budget"
    LIST, ORDERS = "holdings", SORTS
    FILTER_HINT = "an agent, an id or a reason"
    NEEDS_ROW = frozenset({"session.pin", "item.copy", "pane.open"})
    NO_ROW = "No session is under the cursor."
    row_id = attrgetter("session_id")
    FOOTER: ClassVar[dict[str, str]] = {
        "session.pin": "pin", "pane.open": "transcript", "item.copy": "copy", "list.sort": "sort",
        "pane.leave": "back",
    }  # fmt: skip

    _summary: BudgetSummary | None = None

    def compose_body(self) -> ComposeResult:
        """Gauges over the list."""
        yield PaneTitle("Budget", id="gauges-title")
        yield Gauges(id="gauges")
        yield PaneTitle("Eviction plan", "├┤", id="holdings-title")
        yield HoldingList(id="holdings")
        yield PaneBottom(classes="bottom")

    @on(SweepReported)
    def _on_reported(self) -> None:
        self.load()

    def load(self) -> None:
        """Ask for figures, plan and sessions."""

        def read() -> Message:
            source = self.jobs.source
            status = source.status()
            if not source.has_store():
                return HoldingsLoaded(status, None, [], [])
            plan = source.retain(is_dry_run=True)
            return HoldingsLoaded(status, plan, source.growth(_GROWTH), source.holdings())

        self.jobs.ask("budget", read, self, "budget", is_latest_only=True)

    @on(HoldingsLoaded)
    def _on_loaded(self, event: HoldingsLoaded) -> None:
        now_ms = int(self.station.clock() * 1000)
        self._summary = summary_of(event.status, event.plan, event.growth, event.holdings)
        self.all_rows = holdings_of(event.plan, event.holdings, now_ms)
        self.row_list.is_loaded = True
        self._show_gauges()
        self.refill()

    def on_resize(self, event: events.Resize) -> None:
        """The list keeps some rows, whatever the gauges would take."""
        self._show_gauges()

    def _show_gauges(self) -> None:
        if self._summary is None:
            return
        self.query_one(Gauges).show(self._summary, max(2, self.size.height - 5 - _LEAST_ROWS))

    def arranged(self) -> Sequence[Holding]:
        """The sessions whose id or reason has every word of the filter."""
        rows = sorted_holdings(self.all_rows, self.order)
        return [
            row
            for row in rows
            if is_fitting(f"{row.id} {row.title} {row.why}".casefold(), self.filter_text)
        ]

    def retitle(self, shown: int) -> None:
        """Say what the next sweep does."""
        plan = self._summary.plan if self._summary else None
        title = plan_title(plan, shown, len(self.all_rows))
        self.list_title.shorter = (title.replace("the next sweep", "next sweep"),)
        self.list_title.detail = title

    def show_current(self) -> None:
        """Say at the lower edge what becomes of the session under the cursor."""
        row = self.current
        is_short = row is not None and not self.query_one(HoldingList).tells_why
        self.query_one(PaneBottom).label = row.told if row is not None and is_short else ""

    def no_rows(self) -> Sequence[str]:
        """Say how sessions come in."""
        return ["No raw bytes are kept. {sweep.start} takes in what is new in the agents' logs."]

    def action_open(self) -> None:
        """Into the transcript: an id alone tells nobody whether it is to be pinned."""
        if (row := self.current) is not None:
            self.push("transcript", session=row.session_id)

    def action_pin(self) -> None:
        """Keep the raw bytes of the session under the cursor, or no longer."""
        if (row := self.current) is not None:
            pin_session(self, row.session_id, row.is_pinned, row.title)

    @on(SessionPinned)
    def _on_pinned(self, event: SessionPinned) -> None:
        say_pinned(self, event)
        self.load()

    def action_copy(self) -> None:
        """Copy the id of the session."""
        if (row := self.current) is not None:
            self.copy(row.id, safe_line(row.id, 60))
