"""The budget screen: what is kept by tier and agent, how it grew, and what goes next and why."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.message import Message

from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.screen import HelixScreen, Movable
from helix_tui.tui.budget.messages import HoldingsLoaded
from helix_tui.tui.budget.rows import (
    SORTS,
    BudgetSummary,
    Holding,
    HoldingSort,
    holdings_of,
    plan_title,
    sorted_holdings,
    summary_of,
)
from helix_tui.tui.budget.widget import Gauges, HoldingList
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.prompt import KEEPS_OR_CLEARS, Prompt
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.messages import SessionPinned, SourceOpened, SweepEnded, SweepReported

_GROWTH = 24
_LEAST_ROWS = 6


class BudgetScreen(HelixScreen):
    """Gauges over the sessions in the order in which their raw bytes go."""

    SCOPE: ClassVar[str] = "budget"
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

    def on_mount(self) -> None:
        """The list has the keys; figures follow."""
        self._rows: list[Holding] = []
        self._wanted = ""
        self._sort: HoldingSort = "plan"
        self.holdings.focus()
        self.query_one("#holdings-title", PaneTitle).is_active = True
        if self.jobs.connection is not None:
            self.load()

    @property
    def holdings(self) -> HoldingList:
        """The list."""
        return self.query_one(HoldingList)

    @on(SourceOpened)
    @on(SweepReported)
    @on(SweepEnded)
    def _on_changed(self) -> None:
        self.load()

    def load(self) -> None:
        """Asks for figures, plan and sessions."""

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
        self._rows = holdings_of(event.plan, event.holdings, now_ms)
        self.holdings.is_loaded = True
        self._show_gauges()
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """The list keeps some rows, whatever the gauges would take."""
        self._show_gauges()

    def _show_gauges(self) -> None:
        if self._summary is None:
            return
        self.query_one(Gauges).show(self._summary, max(2, self.size.height - 5 - _LEAST_ROWS))

    def _show(self) -> None:
        before = self.holdings.current
        words = self._wanted.casefold().split()
        rows = [
            row
            for row in sorted_holdings(self._rows, self._sort)
            if all(word in f"{row.id} {row.why}".casefold() for word in words)
        ]
        names = [row.session_id for row in rows]
        kept = before is not None and before.session_id in names
        at = names.index(before.session_id) if before and kept else 0
        self.holdings.is_filtered = bool(words)
        self.holdings.show(rows, at)
        title = self.query_one("#holdings-title", PaneTitle)
        plan = self._summary.plan if self._summary else None
        title.detail = plan_title(plan, len(rows), len(self._rows))
        title.right = f"/{safe_line(self._wanted, 20)}" if self._wanted else f"{self._sort} ▼"
        self.keys_changed()

    def refusal(self, action: Action) -> str:
        """What needs a session does nothing without one."""
        needed = ("session.pin", "item.copy", "pane.open")
        if action.id in needed and self.holdings.current is None:
            return "No session is under the cursor."
        return super().refusal(action)

    def action_open(self) -> None:
        """Into the transcript: an id alone tells nobody whether it is to be pinned."""
        if (row := self.holdings.current) is not None:
            self.push("transcript", session=row.session_id)

    @on(VirtualList.Chosen)
    def _on_chosen(self) -> None:
        self.action_open()

    def action_pin(self) -> None:
        """Keeps the raw bytes of the session under the cursor, or no longer."""
        row = self.holdings.current
        if row is None:
            return
        name, is_pinned = row.session_id, not row.is_pinned

        def pin() -> Message:
            self.jobs.source.pin(name, is_pinned=is_pinned)
            return SessionPinned(name, is_pinned)

        self.jobs.ask("pin", pin, self, "verdicts")

    @on(SessionPinned)
    def _on_pinned(self, event: SessionPinned) -> None:
        how = "Pinned" if event.is_pinned else "No longer pinned"
        self.say(f"{how}: {safe_line(event.session_id, 60)}. {{session.pin}} changes it.")
        self.load()

    def action_copy(self) -> None:
        """Copies the id of the session."""
        if (row := self.holdings.current) is not None:
            self.app.copy_to_clipboard(row.id)
            self.notify(f"Copied {safe_line(row.id, 60)}.", timeout=2, markup=False)

    def action_sort(self) -> None:
        """By plan, by size, by age."""
        self._sort = SORTS[(SORTS.index(self._sort) + 1) % len(SORTS)]
        self._show()

    def action_filter(self) -> None:
        """Narrows the list as somebody types."""

        def narrow(text: str) -> None:
            self._wanted = text.strip()
            self._show()

        def keep(text: str) -> None:
            narrow(text)
            self.holdings.focus()

        self.query_one(Prompt).ask(
            "/", keep, value=self._wanted, typed=narrow, cancelled=lambda: keep(""),
            hint=f"an agent, an id or a reason   {KEEPS_OR_CLEARS}",
        )  # fmt: skip

    def action_leave(self) -> None:
        """Clears the filter, then leaves."""
        if self._wanted:
            self._wanted = ""
            self._show()
            return
        super().action_leave()

    def moving(self) -> Movable:
        """There is one list."""
        return self.holdings
