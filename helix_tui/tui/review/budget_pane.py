"""The budget pane: raw bytes against their caps, what the next sweep frees, growth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.kit.lines import Lines, Span
from helix_tui.tui.review.text import budget_line, budget_lines

if TYPE_CHECKING:
    from helix_tui.engine.status import Status
    from helix_tui.schema import RetentionReport, SweepSummary


class BudgetPane(Lines, can_focus=True):
    """Gauges; one line where there is room for no more."""

    _status: Status | None = None
    _plan: RetentionReport | None = None
    _growth: Sequence[SweepSummary] = ()

    def show(self, status: Status) -> None:
        """Show what is used."""
        self._status = status
        self.refresh()

    def show_plan(self, plan: RetentionReport, growth: Sequence[SweepSummary]) -> None:
        """Show what goes next, and how it grew."""
        self._plan, self._growth = plan, growth
        self.refresh()

    def lines(self, width: int, height: int) -> list[list[Span]]:
        """What fits."""
        if self._status is None:
            name = f"{self.key_of('pane.focus_2')} Budget "
            return [[(f"{name if height == 1 else ''} {self.waiting}", "dim")]]
        if height == 1:
            return [budget_line(self._status, self._plan, self.key_of, width)]
        figures = budget_lines(self._status, self._plan, self._growth, width - 2)
        return [[(" ", "plain"), *line] for line in figures]
