"""The panes of the budget screen: its gauges, and the sessions in the order in which they go."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.text.human import human_bytes
from helix_tui.tui.budget.rows import BudgetSummary, Holding, gauge_lines
from helix_tui.tui.kit.lines import Lines, Span, Toned, fit
from helix_tui.tui.kit.moment import day
from helix_tui.tui.kit.row_list import RowList

_DAY, _SIZE, _WHY = 12, 11, 38
# From here on the beginning of the id fits before the title.
_WITH_ID = 44


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


def _name_of(row: Holding, room: int) -> str:
    """A session's title, before it the agent and as much of the id as there is room for."""
    if not row.title:
        return row.id
    flavor, _, native = row.id.partition(":")
    return f"{flavor}:{native[:8]} {row.title}" if room >= _WITH_ID else row.title


class HoldingList(RowList[Holding]):
    """Sessions with raw bytes: what goes next first, each with the reason."""

    cursor_tone = "cursor"

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a session."""
        row = self.rows[index]
        why_width = min(_WHY, max(18, width // 3))
        room = max(8, width - 4 - _DAY - _SIZE - why_width)
        fate = "LOST" if row.is_loss else "goes" if row.is_going else ""
        tone = "bad" if row.is_loss else "warn" if row.is_going else "dim"
        why = f"{fate}: {row.why}" if fate else row.why
        mark = "*" if row.is_pinned else " "
        return [
            (f"{mark} ", "accent"),
            (f"{fit(_name_of(row, room), room - 1)} ", "plain"),
            (f"{day(row.last_ts):<{_DAY}}", "dim"),
            (f"{human_bytes(row.raw_bytes):>{_SIZE - 2}}  ", "plain"),
            (fit(why, why_width), tone),
        ]
