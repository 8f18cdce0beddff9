"""The panes of the budget screen: its gauges, and the sessions in the order in which they go."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.cells import cell_len

from helix_tui.text.human import human_bytes
from helix_tui.tui.budget.rows import BudgetSummary, Holding, gauge_lines
from helix_tui.tui.kit.lines import Lines, Span, Toned, cut_behind_word, fit, title_width
from helix_tui.tui.kit.moment import day
from helix_tui.tui.kit.row_list import RowList
from helix_tui.tui.kit.session_text import fit_name

_DAY, _SIZE, _WHY, _FATE = 11, 10, 38, 7
# Agents by their names, or by two letters where that leaves titles more room.
_AGENT, _SHORT_AGENT = 9, 3
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


class HoldingList(RowList[Holding]):
    """Sessions with raw bytes: what goes next first, each with the reason."""

    cursor_tone = "cursor"
    _why = _WHY
    _titles = _widest = 0

    def show(self, rows: Sequence[Holding], cursor: int | None = None) -> None:
        """Show other sessions; what their reasons do not need is the titles'."""
        self._why = min(_WHY, 1 + max((len(row.told) for row in rows), default=0))
        self._titles = title_width(row.title or row.id for row in rows)
        self._widest = 3 + max((cell_len(row.title or row.id) for row in rows), default=0)
        super().show(rows, cursor)

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when it changes, or the room for reasons."""
        return self.rows[index], self._why, self._titles, self._widest

    def _why_width(self, width: int) -> int:
        """The room for reasons; where titles would be cut, that for a word."""
        whole = min(self._why, max(18, width // 3))
        free = width - 4 - _DAY - _SIZE - whole - (_SHORT_AGENT if width >= _WITH_AGENT else 0)
        return whole if free >= self._titles else _FATE

    @property
    def tells_why(self) -> bool:
        """Whether each row says why it stands there."""
        return self._why_width(self.size.width - 1) > _FATE

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a session."""
        row = self.rows[index]
        why_width = self._why_width(width)
        why = row.fate if why_width == _FATE else row.told
        free = width - 4 - _DAY - _SIZE - why_width
        agent_width = _AGENT if free - _AGENT >= self._titles else _SHORT_AGENT
        agent_width = agent_width if width >= _WITH_AGENT else 0
        agent = row.id.partition(":")[0]
        agent = agent if agent_width > _SHORT_AGENT else agent[: _SHORT_AGENT - 1]
        # No wider than the titles: on a wide screen figures stay near them.
        room = max(8, min(free - agent_width, self._widest))
        tone = "bad" if row.is_loss else "warn" if row.is_going else "dim"
        mark = "*" if row.is_pinned else " "
        return [
            (f"{mark} ", "accent"),
            (f"{fit_name(row.title or row.id, room - 1)} ", "plain"),
            (fit(agent, agent_width) if agent_width else "", "dim"),
            (f"{day(row.last_ts):<{_DAY}}", "dim"),
            (f"{human_bytes(row.raw_bytes):>{_SIZE - 1}} ", "plain"),
            (fit(cut_behind_word(why, why_width).rstrip(), why_width), tone),
        ]
