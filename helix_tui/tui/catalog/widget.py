"""The list of the catalog: patterns, and files that cannot be read as one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.segment import Segment
from textual.strip import Strip

from helix_tui.tui.catalog.rows import PatternRow
from helix_tui.tui.kit.lines import agents_text, fit, style_of
from helix_tui.tui.kit.virtual_list import VirtualList

_STATUS, _VERSION, _SESSIONS = 13, 8, 7
_AGENTS, _SHORT_AGENTS = 20, 9
_WIDE = 100
_TONES = {"approved": "good", "unreadable": "bad", "removed": "warn", "deprecated": "dim"}


class PatternList(VirtualList):
    """One line for each pattern."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[PatternRow] = ()
        self.is_loaded = False
        self.is_filtered = False

    @property
    def current(self) -> PatternRow | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    @property
    def empty_lines(self) -> list[str]:
        """What to press while there is nothing."""
        if not self.is_loaded:
            return ["", f"  {self.waiting}"]
        if self.is_filtered:
            return [
                "",
                "  Nothing fits the filter. {list.filter} changes it, {pane.leave} clears it.",
            ]
        return [
            "",
            "  The catalog is empty.",
            "  {pane.leave} goes back to the candidates: {candidate.approve} makes one a pattern.",
        ]

    def show(self, rows: Sequence[PatternRow], cursor: int) -> None:
        """Shows other rows."""
        self.rows = rows
        self.redraw()
        self.rows_changed(len(rows), cursor)

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when anything of it changes."""
        return self.rows[index]

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        """The line of a pattern."""
        row = self.rows[index]
        base = style_of(self, "cursor" if is_cursor else "plain")

        def cell(text: str, tone: str = "") -> Segment:
            return Segment(text, base if is_cursor or not tone else base + style_of(self, tone))

        agents = _AGENTS if width >= _WIDE else _SHORT_AGENTS
        title = max(8, width - 4 - _STATUS - _VERSION - agents - _SESSIONS)
        is_bad = row.status == "unreadable"
        mark = "✗" if is_bad else "!" if row.notes else "+" if row.is_ready else " "
        sessions = f"{row.sessions:>{_SESSIONS - 2},}s " if row.is_page else " " * _SESSIONS
        segments = [
            cell(">" if is_cursor else " ", "accent"),
            cell(f"{mark} ", "warn" if row.notes else "good"),
            cell(f"{fit(row.title, title)} "),
            cell(fit(row.status, _STATUS), _TONES.get(row.status, "")),
            cell(fit(row.version, _VERSION), "dim"),
            cell(fit(agents_text(row.flavors, agents), agents), "dim"),
            cell(sessions),
        ]
        return Strip(segments).adjust_cell_length(width, base)
