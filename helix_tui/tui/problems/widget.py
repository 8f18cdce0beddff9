"""The list of problems: errors since Helix was opened above what could not be read."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.cells import cell_len

from helix_tui.tui.kit.lines import Toned, fit, title_width
from helix_tui.tui.kit.row_list import RowList
from helix_tui.tui.problems.rows import ProblemLine


class ProblemList(RowList[ProblemLine]):
    """One line for each problem."""

    _longest = _widest = 0

    def show(self, rows: Sequence[ProblemLine], cursor: int | None = None) -> None:
        """Show other problems; what most of their messages leave is the paths'."""
        self._longest = title_width(row.reason for row in rows)
        self._widest = 2 + max((cell_len(row.where) for row in rows), default=0)
        super().show(rows, cursor)

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when it changes, or the room for messages."""
        return self.rows[index], self._longest, self._widest

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a problem: the end of the path tells more than its beginning."""
        row = self.rows[index]
        half = (width - 16) // 2
        room = max(16, half, width - 15 - max(self._longest, width // 4))
        room = min(room, max(16, self._widest))
        where = row.where if len(row.where) < room else f"…{row.where[-(room - 2) :]}"
        place = "since start" if row.is_of_this_run else row.place
        return [
            ("!" if row.is_of_this_run else " ", "bad"),
            (f"{fit(where, room - 1)} ", "plain"),
            (f"{place:>12} ", "dim"),
            (fit(row.reason, max(8, width - room - 15)), "warn"),
        ]
