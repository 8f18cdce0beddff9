"""The session list, whose columns fit the width, and what is known of the one under the cursor."""

from __future__ import annotations

from collections.abc import Hashable

from helix_tui.schema import SearchHit
from helix_tui.text.human import human_usd
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import Lines, Span, Toned, fit
from helix_tui.tui.kit.moment import moment
from helix_tui.tui.kit.row_list import RowList
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
        text += f"{'title':<{columns.name}}"
        text += f"{'model':<{columns.model}}" if columns.model else ""
        text += f"{'calls':>6} {'errors':>6}" if columns.counts else ""
        return [[(f"{text}  {'outcome':<11}{'cost':>11}", "dim")]]


class SessionList(RowList[SessionLine]):
    """Every session, or those that a filter or a search left."""

    def row_key(self, index: int) -> Hashable:
        """A session is drawn anew when another read of the store brought it."""
        row = self.rows[index]
        session = row.session
        return row.id, session.events, session.is_pinned, session.outcome, session.title

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a session."""
        session = self.rows[index].session
        columns = fit_session_columns(width)
        when = moment(session.last_ts) if session.last_ts is not None else "unknown"
        repo = safe_line(session.repo or "-", 80)
        cells: list[Toned] = [
            ("t" if session.is_pinned else " ", "warn"),
            (f"{when:<17}", "dim"),
            (f"{fit(safe_line(session.flavor, 20), 7)} ", "plain"),
            (f"{fit(repo, columns.repo - 1)} ", "strong" if session.repo else "dim"),
            (f"{fit(short_name(session), columns.name - 1)} ", "plain" if session.title else "dim"),
        ]
        if columns.model:
            model = safe_line(session.model or "-", 60)
            cells.append((f"{fit(model, columns.model - 1)} ", "dim"))
        if columns.counts:
            cells.append((f"{session.tool_calls:>6,} ", "plain"))
            tone = "warn" if session.tool_errors else "dim"
            cells.append((f"{session.tool_errors:>6,}", tone))
        cells += [
            (f"  {fit(outcome_text(session), 11)}", _OUTCOME_TONES.get(session.outcome, "dim")),
            (f"{human_usd(session.cost):>11}", "plain"),
        ]
        return cells


class SessionDetails(Lines):
    """The session under the cursor, or where the search fits in it."""

    _row: SessionLine | None = None
    _hit: SearchHit | None = None
    _asked = ""

    def show(self, row: SessionLine | None, hit: SearchHit | None, asked: str) -> None:
        """Show another one, with what it was asked."""
        self._row, self._hit, self._asked = row, hit, asked
        self.refresh()

    def lines(self, width: int, height: int) -> list[list[Span]]:
        """What fits."""
        if self._row is None:
            return [[(" No session is selected.", "dim")]]
        details = session_lines(self._row.session, self._hit, self._asked, self.key_of("item.copy"))
        return [[(" ", "plain"), *line] for line in details]
