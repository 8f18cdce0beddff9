"""The list of contexts: a repository and an agent on each line."""

from __future__ import annotations

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

_FIXED = 8 + 7 + 11 + 22 + 14 + 12


class ContextList(RowList[RepoContext]):
    """One line for each repository and agent, with a gauge against the cap."""

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a context."""
        row = self.rows[index]
        room = max(12, width - _FIXED)
        head = [
            (f" {fit(safe_line(row.repo, 80), room - 1)}", "strong"),
            (f" {row.agent:<7}", "plain"),
            (f"{row.sessions:>5}s ", "dim"),
        ]
        if row.context is None:
            return [*head, ("its folder is gone", "dim")]
        bar, tone = gauge(used_of(row), cap_of(row))
        warnings, violated = warnings_of(row), violated_of(row)
        size = f"{human_bytes(used_of(row))} of {human_bytes(cap_of(row))}"
        return [
            *head,
            (f"{bar} ", tone),
            (f"{size:<22}", "dim"),
            (f"{plural(warnings, 'warning') if warnings else '':<14}", "warn"),
            (f"{violated:,} violated" if violated else "", "bad"),
        ]
