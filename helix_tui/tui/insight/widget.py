"""The panes of the insight screen: cost and tokens by week, and the tables."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from helix_tui.report.layout import Bar
from helix_tui.tui.insight.rows import InsightLine, cells_of
from helix_tui.tui.kit.bar_chart import chart_lines
from helix_tui.tui.kit.lines import Lines, Toned, fit
from helix_tui.tui.kit.row_list import RowList

_BETWEEN = 3


class WeekPlots(Lines):
    """Two plots side by side; under each the first and the last week that it shows."""

    plots: Sequence[tuple[str, Sequence[Bar]]] = ()
    said = ""

    def show(self, plots: Sequence[tuple[str, Sequence[Bar]]], said: str) -> None:
        """Show other weeks."""
        self.plots, self.said = plots, said
        self.refresh()

    def lines(self, width: int, height: int) -> list[list[Toned]]:
        """What fits."""
        if not self.said:
            return [[(f" {self.waiting}", "dim")]]
        if not self.plots or height < 4:
            return [[(f" {self.said}", "strong")]]
        each = (width - 2 - _BETWEEN) // 2
        drawn = [_plot(title, columns, each, height - 1) for title, columns in self.plots]
        lines: list[list[Toned]] = [[(f" {self.said}", "strong")]]
        for left, right in zip(*drawn, strict=True):
            lines.append([(" ", "plain"), left, (" " * _BETWEEN, "plain"), right])
        return lines


def _plot(title: str, columns: Sequence[Bar], width: int, height: int) -> list[Toned]:
    """A title with the greatest value, the bars, and the weeks below them."""
    columns = columns[-width:]
    greatest = max(columns, key=lambda bar: bar.value)
    head = fit(f"{title}, most {greatest.told}", width)
    bars = chart_lines([bar.value for bar in columns], width, height - 2)
    ends = f"{columns[0].label} to {columns[-1].label}"
    lines: list[Toned] = [(head, "dim"), *((line, "accent") for line in bars)]
    return [*lines, (fit(ends, width), "dim")]


class InsightList(RowList[InsightLine]):
    """Every table of the report, one below the other."""

    def row_key(self, index: int) -> Hashable:
        """What a line is drawn by."""
        row = self.rows[index]
        return row.id, row.cells, row.widths, row.part

    def cells(self, index: int, width: int) -> Sequence[Toned]:
        """One line."""
        return cells_of(self.rows[index], width - 1)
