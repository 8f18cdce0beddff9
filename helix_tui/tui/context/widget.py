"""The list of contexts: a repository and an agent on each line."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from helix_tui.text.human import human_bytes, plural
from helix_tui.text.safe import safe_line
from helix_tui.tui.context.rows import cap_of, gauge, used_of, violated_of, warnings_of
from helix_tui.tui.kit.lines import Toned, fit
from helix_tui.tui.kit.row_list import RowList

if TYPE_CHECKING:
    from helix_tui.schema.context import RepoContext
else:
    RepoContext = object

# What stands behind the name of a repository, and less of it where there is little room.
_AGENT, _VIOLATED = 8, 12
_FIXED = 1 + _AGENT + 11 + 11 + 22 + 14 + _VIOLATED
_FIXED_NARROW = 1 + _AGENT + 11 + 7 + 10 + 5 + _VIOLATED
_NARROW = 100


class ContextList(RowList[RepoContext]):
    """One line for each repository and agent, with a gauge against the cap."""

    # Whether any line was not kept to; else names have the room of that column.
    _has_violated = True
    _names = 0

    def show(self, rows: Sequence[RepoContext], cursor: int | None = None) -> None:
        """Show other contexts."""
        self._has_violated = any(row.context is not None and violated_of(row) for row in rows)
        self._names = 3 + max((cell_len(safe_line(row.repo, 80)) for row in rows), default=0)
        super().show(rows, cursor)

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when one of its figures changes."""
        row = self.rows[index]
        figures = (used_of(row), cap_of(row), warnings_of(row), violated_of(row))
        is_gone = row.context is None
        room = self._has_violated, self._names
        return row.repo, row.agent, row.sessions, is_gone, figures, room

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a context."""
        row = self.rows[index]
        is_narrow = width < _NARROW
        fixed = (_FIXED_NARROW if is_narrow else _FIXED) - (not self._has_violated) * _VIOLATED
        # No wider than the names: what belongs together stands together on a wide screen, too.
        room = max(12, min(width - fixed, self._names))
        head = [
            (f" {fit(safe_line(row.repo, 80), room - 1)}", "strong"),
            (f" {fit(row.agent, _AGENT)}", "plain"),
            (f"{row.sessions:>5,} sess ", "dim"),
        ]
        if row.context is None:
            return [*head, (" its folder is gone", "dim")]
        bar, tone = gauge(used_of(row), cap_of(row), 6 if is_narrow else 10)
        warnings, violated = warnings_of(row), violated_of(row)
        size = human_bytes(used_of(row))
        told = f"!{warnings:,}" if is_narrow else plural(warnings, "warning")
        return [
            *head,
            (f"{bar} ", tone),
            (
                f"{size:<10}" if is_narrow else f"{size} of {human_bytes(cap_of(row))}".ljust(22),
                "dim",
            ),
            ((told if warnings else "").ljust(5 if is_narrow else 14), "warn"),
            (f"{violated:,} violated" if violated else "", "bad"),
        ]
