"""The list of problems: errors since Helix was opened above what could not be read."""

from __future__ import annotations

from helix_tui.tui.kit.lines import Toned, fit
from helix_tui.tui.kit.row_list import RowList
from helix_tui.tui.problems.rows import ProblemLine


class ProblemList(RowList[ProblemLine]):
    """One line for each problem."""

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a problem: the end of the path tells more than its beginning."""
        row = self.rows[index]
        room = max(16, (width - 16) // 2)
        where = row.where if len(row.where) < room else f"…{row.where[-(room - 2) :]}"
        place = "since start" if row.is_of_this_run else row.place
        return [
            ("!" if row.is_of_this_run else " ", "bad"),
            (f"{fit(where, room - 1)} ", "plain"),
            (f"{place:>12} ", "dim"),
            (fit(row.reason, max(8, width - room - 15)), "warn"),
        ]
