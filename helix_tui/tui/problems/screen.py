"""What could not be read, with file, place and reason, and what went wrong in this sitting."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from rich.cells import chop_cells
from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip

from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.screen import HelixScreen, Movable
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.lines import Lines, Span, fit, row_style
from helix_tui.tui.kit.prompt import KEEPS_OR_CLEARS, Prompt
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.messages import SourceOpened, SweepEnded
from helix_tui.tui.problems.messages import ProblemsLoaded
from helix_tui.tui.problems.rows import SORTS, ProblemLine, line_of_failure, line_of_problem

_MOST = 100_000
_SECONDS_BETWEEN_LOOKS = 0.5


class ProblemList(VirtualList):
    """Errors of this sitting above what could not be read."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: Sequence[ProblemLine] = ()
        self.said: list[str] = ["reading the store…"]

    @property
    def current(self) -> ProblemLine | None:
        """The problem under the cursor."""
        return self._rows[self.cursor] if self.cursor < len(self._rows) else None

    @property
    def empty_lines(self) -> list[str]:
        """What to press while there is nothing."""
        return ["", *(f"  {line}" for line in self.said)]

    def show(self, rows: Sequence[ProblemLine]) -> None:
        """Shows problems."""
        self._rows = rows
        self.rows_changed(len(rows))

    def row_key(self, index: int) -> Hashable:
        """A line is what it says."""
        return self._rows[index]

    def row_strip(self, index: int, width: int, *, is_cursor: bool) -> Strip:
        """The line of a problem: the end of the path tells more than its beginning."""
        row = self._rows[index]
        base = row_style(self, "plain", is_cursor=is_cursor)

        def cell(text: str, tone: str = "plain") -> Segment:
            return Segment(text, row_style(self, tone, is_cursor=is_cursor))

        room = max(16, (width - 16) // 2)
        where = row.where if len(row.where) < room else f"…{row.where[-(room - 2) :]}"
        place = f"{row.place:>12} " if not row.is_of_this_run else f"{'since start':>12} "
        rest = max(8, width - room - 15)
        return Strip(
            [
                cell(">" if is_cursor else " ", "accent"),
                cell("!" if row.is_of_this_run else " ", "bad"),
                cell(f"{fit(where, room - 1)} "),
                cell(place, "dim"),
                cell(fit(row.reason, rest), "warn"),
            ]
        ).adjust_cell_length(width, base)


class ProblemDetails(Lines):
    """All of the problem under the cursor."""

    _row: ProblemLine | None = None

    def show(self, row: ProblemLine | None) -> None:
        """Shows another one."""
        self._row = row
        self.refresh()

    def lines(self, width: int, height: int) -> list[list[Span]]:
        """What fits."""
        row = self._row
        if row is None:
            return []
        room = max(8, width - 2)
        found: list[Span] = [(part, "strong") for part in chop_cells(row.where, room)[:2]]
        found += [(f"at byte {row.place}", "plain")] if row.place else []
        found += [(part, "warn") for part in chop_cells(row.reason, room)[:3]]
        found += [(row.todo, "plain")] if row.todo else []
        return [[(" ", "plain"), span] for span in found]


class ProblemsScreen(HelixScreen):
    """The list of problems over the one under the cursor."""

    SCOPE: ClassVar[str] = "problems"
    FOOTER: ClassVar[dict[str, str]] = {
        "item.copy": "copy",
        "list.sort": "sort",
        "pane.leave": "back",
    }

    def __init__(self, row: ReviewRow | None = None, at: int = 0) -> None:
        super().__init__(row, at)
        self._found: list[ProblemLine] = []
        self._filter = ""
        self._sort = "latest"
        self._is_loaded = False
        self._failures = 0

    @property
    def problems(self) -> ProblemList:
        """The list."""
        return self.query_one(ProblemList)

    def compose_body(self) -> ComposeResult:
        """The list in a frame, the whole of one below."""
        with Vertical(id="problems-column"):
            yield PaneTitle("Problems", id="problems-title")
            yield ProblemList(id="problems")
            yield PaneTitle("Problem", "├┤", id="problem-title")
            yield ProblemDetails(id="problem")
            yield PaneBottom(classes="bottom")

    def on_mount(self) -> None:
        """The list has the keys; problems follow the first frame."""
        self.query_one("#problems-title", PaneTitle).is_active = True
        self.set_focus(self.problems)
        self.refill()
        self.set_interval(_SECONDS_BETWEEN_LOOKS, self._look_for_failures)
        if self.jobs.connection is not None:
            self.load()

    def _look_for_failures(self) -> None:
        if len(self.jobs.failures) != self._failures:
            self.refill()

    @on(SourceOpened)
    def _on_source(self) -> None:
        self.load()

    @on(SweepEnded)
    def _on_swept(self) -> None:
        self.load()

    def load(self) -> None:
        """Asks for what could not be read."""

        def read() -> Message:
            source = self.jobs.source
            found = source.problems(_MOST) if source.has_store() else []
            return ProblemsLoaded([line_of_problem(one) for one in found])

        self.jobs.ask("problems", read, self, is_latest_only=True)

    @on(ProblemsLoaded)
    def _on_loaded(self, event: ProblemsLoaded) -> None:
        self._found = list(event.rows)
        self._is_loaded = True
        self.refill()

    def unread(self) -> None:
        """The errors of this sitting are shown in any case."""
        self._is_loaded = True
        self.refill()

    def refill(self) -> None:
        """Shows the errors of this sitting, the latest first, and then what could not be read."""
        rows = [line_of_failure(one) for one in reversed(self.jobs.failures)]
        count = self._failures = len(rows)
        rows += sorted(self._found, key=SORTS[self._sort])
        for word in self._filter.lower().split():
            is_inverted, plain = word.startswith("!"), word.removeprefix("!")
            if plain:
                rows = [row for row in rows if (plain in row.text.lower()) != is_inverted]
        self.problems.said = self._empty()
        self.problems.show(rows)
        title = self.query_one("#problems-title", PaneTitle)
        title.label = f"Problems  {len(rows):,} of {len(self._found) + count:,}"
        title.detail = f"· {len(self._found):,} in logs · {count:,} since Helix was opened"
        title.right = f"/{safe_line(self._filter, 40)}" if self._filter else f"{self._sort} ▼"
        self._show_details()
        self.keys_changed()

    def _empty(self) -> list[str]:
        if not self._is_loaded:
            return [self.problems.waiting]
        if self._filter:
            return [
                self.with_keys(
                    "No problem fits. {list.filter} changes the filter, {pane.leave} clears it."
                )
            ]
        return [
            "No problems: all that was swept could be read, nothing failed since.",
            self.with_keys("{sweep.start} sweeps for what is new, {pane.leave} goes back."),
        ]

    @on(VirtualList.CursorMoved)
    def _on_cursor(self) -> None:
        self._show_details()

    def _show_details(self) -> None:
        self.query_one(ProblemDetails).show(self.problems.current)

    def refusal(self, action: Action) -> str:
        """What copies needs something to copy."""
        if action.id == "item.copy" and self.problems.current is None:
            return "There is no problem to copy."
        return super().refusal(action)

    def moving(self) -> Movable | None:
        """Cursor keys move in the list."""
        return self.problems

    def action_filter(self) -> None:
        """Narrows the list as somebody types."""

        def narrow(text: str) -> None:
            self._filter = text
            self.refill()

        def keep(text: str) -> None:
            self.set_focus(self.problems)
            narrow(text)

        self.query_one(Prompt).ask(
            "/", keep, value=self._filter, typed=narrow, cancelled=lambda: keep(""),
            hint=f"words, !not   {KEEPS_OR_CLEARS}",
        )  # fmt: skip

    def action_sort(self) -> None:
        """Put the problems of the logs into the next order."""
        names = list(SORTS)
        self._sort = names[(names.index(self._sort) + 1) % len(names)]
        self.refill()

    def action_leave(self) -> None:
        """Out of the filter first, then out of the screen."""
        if self._filter:
            self._filter = ""
            self.refill()
        else:
            super().action_leave()

    def action_copy(self) -> None:
        """Copies the problem on one line."""
        if (row := self.problems.current) is not None:
            self.app.copy_to_clipboard(row.text)
            self.notify("Copied the problem.", timeout=2, markup=False)
