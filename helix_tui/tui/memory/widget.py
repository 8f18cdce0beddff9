"""The list of the memory screen: what is remembered and what waits, group by group."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.segment import Segment
from textual.strip import Strip

from helix_tui.tui.kit.lines import fit, row_style
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.memory.rows import MemoryRow

_GROUP = 11
_LEAST_TITLE, _MOST_TITLE = 20, 46


class MemoryList(VirtualList):
    """One line for each thing; the first of a group names it aloud."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[MemoryRow] = ()
        self.said: list[str] = ["reading memory…"]

    @property
    def current(self) -> MemoryRow | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    @property
    def empty_lines(self) -> list[str]:
        """What to press while there is nothing."""
        return ["", *(f"  {line}" for line in self.said)]

    def show(self, rows: Sequence[MemoryRow], cursor: int) -> None:
        """Shows other rows."""
        self.rows = rows
        self.redraw()
        self.rows_changed(len(rows), cursor)

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when anything of it changes, or another stands above it."""
        return self.rows[index], self._is_first(index)

    def _is_first(self, index: int) -> bool:
        return not index or self.rows[index - 1].group != self.rows[index].group

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        """The line of a thing."""
        row = self.rows[index]

        def cell(text: str, tone: str = "plain") -> Segment:
            return Segment(text, row_style(self, tone, is_cursor=is_cursor))

        title = min(_MOST_TITLE, max(_LEAST_TITLE, (width - _GROUP - 3) * 2 // 5))
        rest = max(8, width - 3 - _GROUP - title)
        is_failure = row.group == "failure"
        tone = "bad" if row.is_bad else "warn" if is_failure else "dim"
        segments = [
            cell(">" if is_cursor else " ", "accent"),
            cell("✗ " if row.is_bad else "! " if is_failure else "  ", tone),
            cell(fit(row.group, _GROUP), "accent" if self._is_first(index) else "dim"),
            cell(f"{fit(row.title, title - 1)} "),
            cell(fit(row.figures, rest), "warn" if is_failure else "dim"),
        ]
        plain = row_style(self, "plain", is_cursor=is_cursor)
        return Strip(segments).adjust_cell_length(width, plain)
