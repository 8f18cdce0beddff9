"""The insight screen: where the work and the waste went; each figure opens its sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.message import Message

from helix_tui.report.layout import heading, plots, sections, summary
from helix_tui.schema import DAY_MS
from helix_tui.schema.report import Period
from helix_tui.text.filter import is_fitting
from helix_tui.text.safe import safe_line
from helix_tui.tui.base.list_screen import ListScreen
from helix_tui.tui.insight.messages import ReportMade
from helix_tui.tui.insight.rows import InsightLine, lines_of
from helix_tui.tui.insight.widget import InsightList, WeekPlots
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle

if TYPE_CHECKING:
    from helix_tui.schema.report import Report

# The times that can be looked at, in days before today; None is all of it.
_PERIODS: dict[str, int | None] = {
    "all time": None,
    "the last 7 days": 7,
    "the last 4 weeks": 28,
    "the last 12 weeks": 84,
}
# A screen has room for longer tables than a page.
_MOST_ROWS = 40
_LEAST_PLOT, _MOST_PLOT = 6, 14


class InsightScreen(ListScreen[InsightLine]):
    """Plots over the tables of a report."""

    SCOPE: ClassVar[str] = "insight"
    LIST, ORDERS = "insight", tuple(_PERIODS)
    FILTER_HINT = "a repository, agent, model, check or title"
    NEEDS_ROW = frozenset({"pane.open", "item.copy"})
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "sessions",
        "list.sort": "period",
        "occurrence.next": "next table",
        "item.copy": "copy",
        "pane.leave": "back",
    }

    _report: Report | None = None

    def compose_body(self) -> ComposeResult:
        """Plots over the list."""
        yield PaneTitle("Insight", id="plots-title")
        yield WeekPlots(id="plots")
        yield PaneTitle("Where it went", "├┤", id="insight-title")
        yield InsightList(id="insight")
        yield PaneBottom(classes="bottom")

    def load(self) -> None:
        """Ask for the report of the period."""
        days = _PERIODS[self.order]
        today = int(self.station.clock() * 1000) // DAY_MS
        period = Period(None if days is None else today - days + 1)

        def read() -> Message:
            source = self.jobs.source
            return ReportMade(source.report(period) if source.has_store() else None)

        self.jobs.ask("insight", read, self, "insight", is_latest_only=True)

    @on(ReportMade)
    def _on_made(self, event: ReportMade) -> None:
        report = self._report = event.report
        self.row_list.is_loaded = True
        if report is None or not report.total.sessions:
            self.all_rows = []
            self.query_one(WeekPlots).show((), "No session.")
        else:
            self.all_rows = lines_of(sections(report, _MOST_ROWS))
            self.query_one(WeekPlots).show(plots(report), summary(report))
        self.refill()

    def on_resize(self, event: events.Resize) -> None:
        """The plots take a fifth of the height."""
        height = max(_LEAST_PLOT, min(_MOST_PLOT, event.size.height // 5 + 1))
        self.query_one(WeekPlots).styles.height = height

    def arranged(self) -> Sequence[InsightLine]:
        """The rows that have every word of the filter, with the headings above them."""
        if not self.filter_text:
            return self.all_rows
        text = self.filter_text.casefold()
        fitting = [
            row
            for row in self.all_rows
            if row.sessions and is_fitting(" ".join((row.title, *row.cells)).casefold(), text)
        ]
        names = {row.section for row in fitting}
        kept = {row.id for row in fitting}
        return [
            row
            for row in self.all_rows
            if row.id in kept or (row.is_heading and row.section in names)
        ]

    def retitle(self, shown: int) -> None:
        """Say what the report is of."""
        self.list_title.detail = f"· {safe_line(heading(self._report), 80)}" if self._report else ""

    def no_rows(self) -> Sequence[str]:
        """Say how sessions come in, or that there are none in the period."""
        if _PERIODS[self.order] is not None:
            return [f"No session in {self.order}. {{list.sort}} looks at another time."]
        return ["No session yet. {sweep.start} takes in what is new in the agents' logs."]

    # Keys

    def action_sort(self) -> None:
        """Look at the next period."""
        orders = list(self.ORDERS)
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]
        self.list_title.right = self.narrowed_by()
        self.load()

    def action_open(self) -> None:
        """Into the sessions behind a figure: one opens as its transcript, more as a list."""
        row = self.current
        if row is None:
            return
        if row.section == "taught" and not row.is_heading:
            self.open_screen("catalog")
        elif row.section == "sessions" and row.sessions:
            self.push("transcript", session=row.sessions[0])
        elif row.sessions:
            about = f"{row.title.lower()}: {row.cells[0]}"
            self.push("sessions", only=frozenset(row.sessions), about=about)
        else:
            self.say("No session is behind this line: choose a figure.", severity="warning")

    def action_next_occurrence(self) -> None:
        """To the next table."""
        self._to_heading(1)

    def action_previous_occurrence(self) -> None:
        """To the table before."""
        self._to_heading(-1)

    def _to_heading(self, by: int) -> None:
        rows = self.row_list
        at = rows.cursor + by
        while 0 <= at < len(rows.rows) and not rows.rows[at].is_heading:
            at += by
        if 0 <= at < len(rows.rows):
            rows.move_to(at)
            rows.scroll_to(y=at, animate=False, force=True)

    def action_copy(self) -> None:
        """Copy a line of the report."""
        if (row := self.current) is not None:
            self.copy("\t".join(row.cells), "the line")
