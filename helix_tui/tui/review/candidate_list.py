"""The candidate list: ranked lines whose columns fit the width."""

from __future__ import annotations

from collections.abc import Hashable

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from helix_tui.text.human import compact
from helix_tui.tui.kit.candidate_row import (
    STATE_SIGNS,
    VERDICT_SIGNS,
    WRITING_SIGN,
    ReviewRow,
    score_text,
)
from helix_tui.tui.kit.lines import Lines, agents_text, fit, style_of
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.review.candidate_filter import FIELDS, filter_mistakes
from helix_tui.tui.review.columns import (
    SHORT_SESSIONS,
    SIGN,
    fit_columns,
    header_text,
    indent_of,
    title_lines,
)
from helix_tui.tui.review.decided_card import decided_card
from helix_tui.tui.review.list_state import ListState

_TIER_TONES = {"fix": "good", "again": "warn"}
_STATE_TONES = {"escalating": "warn", "regressed": "bad", "new": "good"}


class CandidateHeader(Lines):
    """The names of the columns, above the list."""

    def __init__(self, table: ListState, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._table = table

    def lines(self, width: int, height: int) -> list[list[tuple[str, str]]]:
        """The line, as wide as a row: beside a scrollbar these are narrower."""
        has_bar = self.screen.query_one(CandidateList).show_vertical_scrollbar
        columns = fit_columns(width - has_bar, self._table.title_width)
        first = self._table.at(0)
        is_team = first is not None and first.listed.brief.team is not None
        return [[(header_text(columns, self._table.sort, is_team=is_team), "dim")]]


class CandidateList(VirtualList):
    """What recurs, the most worth a look first."""

    def __init__(self, table: ListState, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._table = table
        self.is_loaded = False
        self.is_sweeping = False
        self.wraps = False  # whether there is room for long titles on a second line
        self.folder = ""  # where pages are
        self.range_start = ""

    @property
    def current(self) -> ReviewRow | None:
        """The row under the cursor."""
        return self._table.at(self.cursor)

    @property
    def empty_lines(self) -> list[str]:
        """What to press while there is nothing."""
        if not self.is_loaded:
            return ["", f"  {self.waiting}"]
        if self._table.wanted.text:
            nothing = "  Nothing fits the filter. {list.filter} changes it, {pane.leave} clears it."
            known = f"  Filters: {': '.join(FIELDS)}:"
            return ["", nothing, *([known] if filter_mistakes(self._table.wanted) else ())]
        if len(self._table):
            return ["", *(f"  {line}" for line in decided_card(self._table, self.folder))]
        if self.is_sweeping:
            return ["", "  No candidates yet: they come while the sweep runs, or at its end."]
        return ["", "  No candidates yet. {sweep.start} takes in what is new in the agents' logs."]

    def cuts(self, row: ReviewRow) -> bool:
        """Whether a row has too little room for its title."""
        last = self._titled(row, self.scrollable_content_region.width)[-1]
        return not row.title.endswith(last.rstrip())

    def table_changed(self, cursor: int | None = None) -> None:
        """Draw what the table shows now."""
        self.rows_changed(len(self._table.shown), cursor)

    def row_key(self, index: int) -> Hashable:
        """A row is drawn anew when it, its mark or its number changes."""
        row = self._table.at(index)
        if row is None:
            return None
        return (
            row.id,
            row.rank,
            row.verdict,
            row.is_changed,
            row.score,
            row.sessions,
            row.told,
            row.id in self._table.marked,
            row.id in self._table.skipped,
            row.id in self._table.writing,
        )

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        """The line of a candidate."""
        row = self._table.at(index)
        if row is None:
            return Strip.blank(width)
        is_marked = row.id in self._table.marked
        columns = fit_columns(width, self._table.title_width)
        base = self._base_style(row, is_cursor=is_cursor)

        def cell(text: str, tone: str = "") -> Segment:
            return Segment(text, base if is_cursor or not tone else base + style_of(self, tone))

        agents = (
            fit(agents_text(row.flavors, columns.agents), columns.agents - 1) + " "
            if columns.agents
            else ""
        )
        is_word = columns.state > SIGN
        state = row.state if is_word else STATE_SIGNS[row.state]
        mark = "s" if row.id in self._table.skipped else "!" if row.is_changed else ""
        if row.id in self._table.writing:
            mark = WRITING_SIGN
        told = _told_text(row)
        title = self._titled(row, width)[0]
        segments = [
            cell(">" if is_cursor else " ", "accent"),
            cell("*" if is_marked else " ", "accent"),
            cell(f"{row.rank:>3} "),
            cell(f"{score_text(row.score):>5} " if columns.score else "", "dim"),
            cell(f"{row.cross:<3}", "accent" if row.cross == "XX" else "dim"),
            cell(f"{row.tier:<6}", _TIER_TONES.get(row.tier, "dim")),
            cell(told, "warn"),
            cell(fit(title, columns.title - len(told)), "strong" if is_cursor else ""),
            cell(agents, "dim"),
        ]
        if columns.sessions:
            noun = " sess" if columns.sessions > SHORT_SESSIONS else ""
            segments.append(cell(f"{row.sessions:>4}{noun} "))
        if columns.tokens:
            segments.append(cell(f"{_spread_text(row):>6} ", "dim"))
        if columns.state:
            segments.append(cell(f"{state:<{columns.state}}", _STATE_TONES.get(row.state, "dim")))
        if columns.trend:
            segments.append(cell(f"{row.trend:<{columns.trend}}", "dim"))
        segments.append(cell(f"{mark or VERDICT_SIGNS[row.verdict]} ", "warn"))
        return Strip(segments).adjust_cell_length(width, base)

    def row_height(self, index: int, width: int) -> int:
        """A second line where a title needs it, and the list has room for some."""
        row = self._table.at(index)
        return len(self._titled(row, width)) if row is not None else 1

    def lower_strip(self, index: int, line: int, width: int, *, is_cursor: bool) -> Strip:
        """What a title has no room for on its first line."""
        row = self._table.at(index)
        if row is None:
            return Strip.blank(width)
        columns = fit_columns(width, self._table.title_width)
        base = self._base_style(row, is_cursor=is_cursor)
        text = " " * indent_of(columns) + self._titled(row, width)[line]
        return Strip([Segment(text, base)]).adjust_cell_length(width, base)

    def _base_style(self, row: ReviewRow, *, is_cursor: bool) -> Style:
        base = style_of(self, "cursor" if is_cursor else "plain")
        return base + Style(underline=True) if row.id in self._table.marked else base

    def _titled(self, row: ReviewRow, width: int) -> list[str]:
        """The lines of a title."""
        columns = fit_columns(width, self._table.title_width)
        first = max(1, columns.title - 1 - len(_told_text(row)))
        if not self.wraps:
            return [row.title if cell_len(row.title) <= first else fit(row.title, first)]
        return title_lines(row.title, first, width - indent_of(columns) - 1)


def _spread_text(row: ReviewRow) -> str:
    """What it took; on a team's list how many sessions are one's own, and of how many machines."""
    team = row.listed.brief.team
    return compact(row.cost) if team is None else f"{compact(team.own)}/{compact(team.machines)}m"


def _told_text(row: ReviewRow) -> str:
    return f"({row.told}) " if row.told != "no" else ""
