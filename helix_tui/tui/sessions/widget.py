"""The session list, whose columns fit the width, and what is known of the one under the cursor."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.segment import Segment
from textual.strip import Strip

from helix_tui.schema import SearchHit
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import Lines, Span, fit, row_style
from helix_tui.tui.kit.moment import moment
from helix_tui.tui.kit.session_text import cost_text
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.sessions.rows import (
    SessionLine,
    fit_session_columns,
    outcome_text,
    session_lines,
    short_name,
)

_OUTCOME_TONES = {"success": "good", "failed": "bad", "partial": "warn", "abandoned": "warn"}


class SessionHeadings(Lines):
    """What the columns are."""

    def lines(self, width: int, height: int) -> list[list[tuple[str, str]]]:
        """The line above the list."""
        columns = fit_session_columns(width - 1)
        text = f"  {'ended (UTC)':<17}{'agent':<8}{'repo':<{columns.repo}}"
        text += f"{'session':<{columns.name}}"
        text += f"{'model':<{columns.model}}" if columns.model else ""
        text += f"{'calls':>6} {'errors':>6}" if columns.counts else ""
        return [[(f"{text}  {'outcome':<11}{'cost':>9}", "dim")]]


class SessionList(VirtualList):
    """Every session, or those that a filter or a search left."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: Sequence[SessionLine] = ()
        self.said: list[str] = ["reading the store…"]

    @property
    def current(self) -> SessionLine | None:
        """The session under the cursor."""
        return self._rows[self.cursor] if self.cursor < len(self._rows) else None

    @property
    def empty_lines(self) -> list[str]:
        """What to press while there is nothing."""
        return ["", *(f"  {line}" for line in self.said)]

    def show(self, rows: Sequence[SessionLine], wanted: str | None = None) -> None:
        """Shows sessions, the cursor on one of them where it is still there."""
        self._rows = rows
        at = next((at for at, row in enumerate(rows) if row.id == wanted), 0) if wanted else 0
        self.rows_changed(len(rows), at)

    def row_key(self, index: int) -> Hashable:
        """A session is drawn anew when another read of the store brought it."""
        row = self._rows[index]
        return row.id, row.session.events, row.session.is_pinned, row.session.outcome

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        """The line of a session."""
        row = self._rows[index]
        session = row.session
        columns = fit_session_columns(width)
        base = row_style(self, "plain", is_cursor=is_cursor)

        def cell(text: str, tone: str = "plain") -> Segment:
            return Segment(text, row_style(self, tone, is_cursor=is_cursor))

        when = moment(session.last_ts) if session.last_ts is not None else "unknown"
        repo = safe_line(session.repo or "-", 80)
        segments = [
            cell(">" if is_cursor else " ", "accent"),
            cell("t" if session.is_pinned else " ", "warn"),
            cell(f"{when:<17}", "dim"),
            cell(f"{fit(safe_line(session.flavor, 20), 7)} "),
            cell(f"{fit(repo, columns.repo - 1)} ", "strong" if session.repo else "dim"),
            cell(f"{fit(short_name(session), columns.name - 1)} ", "dim"),
        ]
        if columns.model:
            model = safe_line(session.model or "-", 60)
            segments.append(cell(f"{fit(model, columns.model - 1)} ", "dim"))
        if columns.counts:
            segments.append(cell(f"{session.tool_calls:>6,} "))
            tone = "warn" if session.tool_errors else "dim"
            segments.append(cell(f"{session.tool_errors:>6,}", tone))
        segments += [
            cell(f"  {fit(outcome_text(session), 11)}", _OUTCOME_TONES.get(session.outcome, "dim")),
            cell(f"{cost_text(session.cost):>9}"),
        ]
        return Strip(segments).adjust_cell_length(width, base)


class SessionDetails(Lines):
    """The session under the cursor, or where the search fits in it."""

    _row: SessionLine | None = None
    _hit: SearchHit | None = None
    _asked = ""

    def show(self, row: SessionLine | None, hit: SearchHit | None, asked: str) -> None:
        """Shows another one, with what it was asked."""
        self._row, self._hit, self._asked = row, hit, asked
        self.refresh()

    def lines(self, width: int, height: int) -> list[list[Span]]:
        """What fits."""
        if self._row is None:
            return [[(" No session is selected.", "dim")]]
        found = session_lines(self._row.session, self._hit, self._asked, self.key_of("item.copy"))
        return [[(" ", "plain"), *line] for line in found]
