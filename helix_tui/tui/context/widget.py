"""The list of contexts: a repository and an agent on each line."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

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
_AGENT = 8
_FIXED, _FIXED_NARROW = 1 + _AGENT + 11 + 11 + 22 + 14 + 12, 1 + _AGENT + 11 + 7 + 10 + 5 + 12
_NARROW = 100


class ContextList(RowList[RepoContext]):
    """One line for each repository and agent, with a gauge against the cap."""

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when one of its figures changes."""
        row = self.rows[index]
        figures = (used_of(row), cap_of(row), warnings_of(row), violated_of(row))
        return row.repo, row.agent, row.sessions, row.context is None, figures

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a context."""
        row = self.rows[index]
        is_narrow = width < _NARROW
        room = max(12, width - (_FIXED_NARROW if is_narrow else _FIXED))
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
