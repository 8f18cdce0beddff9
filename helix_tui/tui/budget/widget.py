"""The panes of the budget screen: its gauges, and the sessions in the order in which they go."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from helix_tui.text.human import human_bytes
from helix_tui.tui.budget.rows import BudgetSummary, Holding, gauge_lines
from helix_tui.tui.kit.lines import Lines, Span, Toned, fit
from helix_tui.tui.kit.moment import day
from helix_tui.tui.kit.row_list import RowList

_DAY, _SIZE, _WHY, _AGENT = 12, 11, 38, 9
_WITH_AGENT = 100


class Gauges(Lines):
    """What is used, by tier and agent, and how it grew."""

    _summary: BudgetSummary | None = None

    def show(self, summary: BudgetSummary, most: int) -> None:
        """Show other figures on as many lines as they take, and no more than there are."""
        self._summary = summary
        wanted = len(gauge_lines(summary, self.size.width))
        self.styles.height = min(wanted, most)
        self.refresh(layout=True)

    def lines(self, width: int, height: int) -> Sequence[list[Span]]:
        """What fits."""
        if self._summary is None:
            return [[(f" {self.waiting}", "dim")]]
        gauge_rows = gauge_lines(self._summary, width)
        if len(gauge_rows) > height:
            gauge_rows = [line for line in gauge_rows if line]
        return gauge_rows


def _why_of(row: Holding) -> str:
    fate = "LOST: " if row.is_loss else "goes: " if row.is_going else ""
    return f"{fate}{row.why}"


class HoldingList(RowList[Holding]):
    """Sessions with raw bytes: what goes next first, each with the reason."""

    cursor_tone = "cursor"
    _why = _WHY

    def show(self, rows: Sequence[Holding], cursor: int | None = None) -> None:
        """Show other sessions; what their reasons do not need is the titles'."""
        self._why = min(_WHY, 1 + max((len(_why_of(row)) for row in rows), default=0))
        super().show(rows, cursor)

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when it changes, or the room for reasons."""
        return self.rows[index], self._why

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a session."""
        row = self.rows[index]
        why_width = min(self._why, max(18, width // 3))
        has_agent = width >= _WITH_AGENT
        agent = row.id.partition(":")[0]
        room = max(8, width - 4 - _DAY - _SIZE - why_width - has_agent * _AGENT)
        tone = "bad" if row.is_loss else "warn" if row.is_going else "dim"
        why = _why_of(row)
        mark = "*" if row.is_pinned else " "
        return [
            (f"{mark} ", "accent"),
            (f"{fit(row.title or row.id, room - 1)} ", "plain"),
            (f"{fit(agent, _AGENT - 1)} " if has_agent else "", "dim"),
            (f"{day(row.last_ts):<{_DAY}}", "dim"),
            (f"{human_bytes(row.raw_bytes):>{_SIZE - 2}}  ", "plain"),
            (fit(why, why_width), tone),
        ]
