"""The session list, whose columns fit the width, and what is known of the one under the cursor."""

from __future__ import annotations

from collections.abc import Hashable

from textual.reactive import reactive

from helix_tui.schema import DAY_MS, SearchHit
from helix_tui.text.human import human_usd
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import Lines, Span, Toned, fit
from helix_tui.tui.kit.row_list import RowList
from helix_tui.tui.kit.session_text import fit_name
from helix_tui.tui.sessions.rows import (
    COST,
    SessionLine,
    fit_session_columns,
    outcome_sign,
    outcome_text,
    place_lines,
    session_lines,
    short_name,
    when_text,
)

# A column of no more cells has a sign or two letters.
_TWO_LETTERS = 3

_OUTCOME_TONES = {"success": "good", "failed": "bad", "partial": "warn", "abandoned": "warn"}


class SessionHeadings(Lines):
    """What the columns are."""

    title_width: reactive[int] = reactive(0)

    def lines(self, width: int, height: int) -> list[list[tuple[str, str]]]:
        """The line above the list."""
        columns = fit_session_columns(width - 1, self.title_width)
        text = f"  {'title':<{columns.title}}{'repo':<{columns.repo}}"
        text += f"{'agent':<{columns.agent}}" if columns.agent > _TWO_LETTERS else "ag "
        text += f"{'model':<{columns.model}}" if columns.model else ""
        text += f"{'calls':>6} {'errors':>6} " if columns.counts else ""
        text += f"{'ended (UTC)':<{columns.when}}"
        text += f"{'outcome':<{columns.outcome}}" if columns.outcome > _TWO_LETTERS else "  "
        return [[(f"{text}{'cost':>{COST}}", "dim")]]


class SessionList(RowList[SessionLine]):
    """Every session, or those that a filter or a search left."""

    now_ms = 0
    title_width = 0  # so wide that few titles are cut

    def row_key(self, index: int) -> Hashable:
        """A session is drawn anew when another read of the store brought it, or on another day."""
        row = self.rows[index]
        session = row.session
        today = self.now_ms // DAY_MS
        drawn = row.id, session.events, session.is_pinned, session.outcome, session.title
        return *drawn, today, self.title_width

    def cells(self, index: int, width: int) -> list[Toned]:
        """The line of a session."""
        session = self.rows[index].session
        columns = fit_session_columns(width, self.title_width)
        repo, agent = safe_line(session.repo or "-", 80), safe_line(session.flavor, 20)
        agent = agent if columns.agent > _TWO_LETTERS else agent[:2]
        name = fit_name(short_name(session), columns.title - 1)
        cells: list[Toned] = [
            ("t" if session.is_pinned else " ", "warn"),
            (f"{name} ", "strong" if session.title else "dim"),
            (f"{fit(repo, columns.repo - 1)} ", "plain" if session.repo else "dim"),
            (
                f"{fit(agent if columns.agent > _TWO_LETTERS else agent[:2], columns.agent - 1)} ",
                "dim",
            ),
        ]
        if columns.model:
            model = safe_line(session.model or "-", 60)
            cells.append((f"{fit(model, columns.model - 1)} ", "dim"))
        if columns.counts:
            cells.append((f"{session.tool_calls:>6,} ", "plain"))
            tone = "warn" if session.tool_errors else "dim"
            cells.append((f"{session.tool_errors:>6,} ", tone))
        outcome, room = fit(outcome_text(session), columns.outcome), columns.when - 1
        cells += [
            (f"{fit(when_text(session.last_ts, self.now_ms, room), room)} ", "dim"),
            (
                outcome if columns.outcome > _TWO_LETTERS else f"{outcome_sign(session)} ",
                _OUTCOME_TONES.get(session.outcome, "dim"),
            ),
            (f"{human_usd(session.cost):>{COST}}", "plain"),
        ]
        return cells


class SessionPlaces(Lines):
    """Where a search found something in the session under the cursor."""

    _hit: SearchHit | None = None
    _is_named = False

    def show(self, hit: SearchHit | None, *, is_named: bool) -> None:
        """Show the places in another session, which may be there for its line alone."""
        self._hit, self._is_named = hit, is_named
        self.refresh()

    def lines(self, width: int, height: int) -> list[list[Toned]]:
        """What fits."""
        if self._hit is None and not self._is_named:
            return []
        if self._hit is None:
            return [[(" Its line has the words; nothing that was said in it does.", "dim")]]
        return [[(" ", "plain"), *line] for line in place_lines(self._hit, width)]


class SessionDetails(Lines):
    """The session under the cursor."""

    _row: SessionLine | None = None
    _asked = ""

    def show(self, row: SessionLine | None, asked: str) -> None:
        """Show another one, with what it was asked."""
        self._row, self._asked = row, asked
        self.refresh()

    def lines(self, width: int, height: int) -> list[list[Span]]:
        """What fits."""
        if self._row is None:
            return [[(" No session is selected.", "dim")]]
        details = session_lines(self._row.session, self._asked, self.key_of("item.copy"))
        return [[(" ", "plain"), *line] for line in details]
