"""The panes of the budget screen: its gauges, and the sessions in the order in which they go."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.segment import Segment
from textual.strip import Strip

from helix_tui.text.human import human_bytes
from helix_tui.tui.budget.rows import BudgetSummary, Holding, gauge_lines
from helix_tui.tui.kit.lines import Lines, Span, fit, style_of
from helix_tui.tui.kit.moment import day
from helix_tui.tui.kit.virtual_list import VirtualList

_DAY, _SIZE, _WHY = 12, 11, 38


class Gauges(Lines):
    """What is used, by tier and agent, and how it grew."""

    _summary: BudgetSummary | None = None

    def show(self, summary: BudgetSummary, most: int) -> None:
        """Shows other figures on as many lines as they take, and no more than there are."""
        self._summary = summary
        wanted = len(gauge_lines(summary, self.size.width))
        self.styles.height = min(wanted, most)
        self.refresh(layout=True)

    def lines(self, width: int, height: int) -> Sequence[list[Span]]:
        """What fits."""
        if self._summary is None:
            return [[(f" {self.waiting}", "dim")]]
        found = gauge_lines(self._summary, width)
        if len(found) > height:
            found = [line for line in found if line]
        return found


class HoldingList(VirtualList):
    """Sessions with raw bytes: what goes next first, each with the reason."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[Holding] = ()
        self.is_loaded = False
        self.is_filtered = False

    @property
    def current(self) -> Holding | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    @property
    def empty_lines(self) -> list[str]:
        """What to press while there is nothing."""
        if not self.is_loaded:
            return ["", f"  {self.waiting}"]
        if self.is_filtered:
            return [
                "",
                "  Nothing fits the filter. {list.filter} changes it, {pane.leave} clears it.",
            ]
        return [
            "",
            "  No raw bytes are kept. {sweep.start} takes in what is new in the agents' logs.",
        ]

    def show(self, rows: Sequence[Holding], cursor: int) -> None:
        """Shows other rows."""
        self.rows = rows
        self.redraw()
        self.rows_changed(len(rows), cursor)

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when anything of it changes."""
        return self.rows[index]

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        """The line of a session."""
        row = self.rows[index]
        base = style_of(self, "cursor" if is_cursor else "plain")

        def cell(text: str, tone: str = "") -> Segment:
            return Segment(text, base if is_cursor or not tone else base + style_of(self, tone))

        why_width = min(_WHY, max(18, width // 3))
        room = max(8, width - 4 - _DAY - _SIZE - why_width)
        what = "LOST" if row.is_loss else "goes" if row.is_going else ""
        tone = "bad" if row.is_loss else "warn" if row.is_going else "dim"
        why = f"{what}: {row.why}" if what else row.why
        mark = "*" if row.is_pinned else " "
        segments = [
            cell(">" if is_cursor else " ", "accent"),
            cell(f"{mark} ", "accent"),
            cell(f"{fit(row.id, room - 1)} "),
            cell(f"{day(row.last_ts):<{_DAY}}", "dim"),
            cell(f"{human_bytes(row.raw_bytes):>{_SIZE - 2}}  "),
            cell(fit(why, why_width), tone),
        ]
        return Strip(segments).adjust_cell_length(width, base)
