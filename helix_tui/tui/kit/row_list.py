"""A list of plain rows: the cursor, the row under it, and what stands there while there is none."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from rich.segment import Segment
from textual.strip import Strip

from helix_tui.tui.kit.lines import Toned, row_style
from helix_tui.tui.kit.virtual_list import VirtualList

Row = TypeVar("Row")


class RowList(VirtualList, Generic[Row]):
    """Rows of one line each; a subclass says in `cells` what a line is made of.

    While nothing is loaded it says so; `empty` is what it says where there are no rows, with the
    actions to press.
    """

    # The tone of the whole row under the cursor; without one each cell keeps its own.
    cursor_tone = ""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[Row] = ()
        self._empty: Sequence[str] = ()
        self.is_loaded = False

    @property
    def empty(self) -> Sequence[str]:
        """What is said where there are no rows."""
        return self._empty

    @empty.setter
    def empty(self, lines: Sequence[str]) -> None:
        if lines != self._empty:
            self._empty = lines
            self.refresh()

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    @property
    def empty_lines(self) -> list[str]:
        """What stands there while there are no rows."""
        lines = self.empty if self.is_loaded else [self.waiting]
        return ["", *(f"  {line}" for line in lines)]

    def show(self, rows: Sequence[Row], cursor: int | None = None) -> None:
        """Show other rows."""
        self.rows = rows
        self.rows_changed(len(rows), cursor)

    def row_key(self, index: int) -> Hashable:
        """Draw a row anew when anything of it changes."""
        return self.rows[index]

    def cells(self, index: int, width: int) -> Sequence[Toned]:
        """The line of a row behind the cursor's sign, piece by piece."""
        raise NotImplementedError

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        """Draw the line of a row."""
        tone_of_all = self.cursor_tone if is_cursor else ""
        pieces = [(">" if is_cursor else " ", "accent"), *self.cells(index, width)]
        segments = [
            Segment(text, row_style(self, tone_of_all or tone, is_cursor=is_cursor))
            for text, tone in pieces
        ]
        base = row_style(self, tone_of_all or "plain", is_cursor=is_cursor)
        return Strip(segments).adjust_cell_length(width, base)
