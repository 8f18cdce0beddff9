"""The list of the memory screen: what is remembered and what waits, group by group."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.cells import cell_len

from helix_tui.tui.kit.lines import Toned, fit, title_width
from helix_tui.tui.kit.row_list import RowList
from helix_tui.tui.kit.session_text import fit_name
from helix_tui.tui.memory.rows import MemoryRow

_GROUP = 11
_LEAST_TITLE, _MOST_TITLE = 20, 82


class MemoryList(RowList[MemoryRow]):
    """One line for each thing; the first of a group names it aloud."""

    _titles = _figures = _widest = 0

    def show(self, rows: Sequence[MemoryRow], cursor: int | None = None) -> None:
        """Show other things."""
        self._titles = title_width(row.title for row in rows)
        self._figures = title_width(row.figures for row in rows)
        # Figures stay near titles, however wide the screen is.
        self._widest = max((cell_len(row.title) for row in rows), default=0)
        super().show(rows, cursor)

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when anything of it changes, or another stands above it."""
        return self.rows[index], self._is_first(index), self._titles, self._figures, self._widest

    def _is_first(self, index: int) -> bool:
        return not index or self.rows[index - 1].group != self.rows[index].group

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a thing."""
        row = self.rows[index]
        room = width - _GROUP - 3
        # Titles have two fifths, or what most figures leave them.
        share = max(room * 2 // 5, min(self._titles, room - self._figures))
        most = min(max(_MOST_TITLE, self._titles), self._widest + 2)
        title = max(_LEAST_TITLE, min(most, share))
        rest = max(8, width - 3 - _GROUP - title)
        is_failure = row.group == "failure"
        tone = "bad" if row.is_bad else "warn" if is_failure else "dim"
        return [
            ("✗ " if row.is_bad else "! " if is_failure else "  ", tone),
            (fit(row.group, _GROUP), "accent" if self._is_first(index) else "dim"),
            (f"{fit_name(row.title, title - 1)} ", "plain"),
            (fit(row.figures, rest), "warn" if is_failure else "dim"),
        ]
