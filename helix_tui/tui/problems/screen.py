"""What could not be read, with file, place and reason, and what failed since Helix was opened."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import ClassVar

from textual import on
from textual.message import Message

from helix_tui.text.filter import is_fitting
from helix_tui.tui.base.list_screen import PageListScreen
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.problems.messages import ProblemsLoaded
from helix_tui.tui.problems.rows import (
    SORTS,
    ProblemLine,
    line_of_failure,
    line_of_problem,
    problem_lines,
)
from helix_tui.tui.problems.widget import ProblemList

_MOST = 100_000
_SECONDS_BETWEEN_LOOKS = 0.5


class ProblemsScreen(PageListScreen[ProblemLine]):
    """The list of problems over the one under the cursor."""

    SCOPE: ClassVar[str] = "problems"
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "page", "item.copy": "copy", "list.sort": "sort", "pane.leave": "back",
    }  # fmt: skip
    LIST, PAGE, TITLES, ORDERS = "problems", "problem", ("Problems", "Problem"), tuple(SORTS)
    FILTER_HINT = "words, !not"
    NOTHING_FITS = "No problem fits. {list.filter} changes the filter, {pane.leave} clears it."
    NO_ROW = "There is no problem here."
    STAYS_AT_TOP = True
    row_id = attrgetter("where", "place", "reason")

    def __init__(self, row: ReviewRow | None = None, at: int = 0) -> None:
        super().__init__(row, at)
        self._in_logs: Sequence[ProblemLine] = ()
        self._failures = 0

    def new_list(self) -> ProblemList:
        """The problems."""
        return ProblemList(id=self.LIST)

    def on_mount(self) -> None:
        """Show the errors since the start at once, and those that come later."""
        self.refill()
        self.set_interval(_SECONDS_BETWEEN_LOOKS, self._look_for_failures)

    def _look_for_failures(self) -> None:
        if len(self.jobs.failures) != self._failures:
            self.refill()

    def load(self) -> None:
        """Ask for what could not be read."""

        def read() -> Message:
            source = self.jobs.source
            problems = source.problems(_MOST) if source.has_store() else []
            return ProblemsLoaded([line_of_problem(problem) for problem in problems])

        self.jobs.ask("problems", read, self, is_latest_only=True)

    @on(ProblemsLoaded)
    def _on_loaded(self, event: ProblemsLoaded) -> None:
        self._in_logs = event.rows
        self.row_list.is_loaded = True
        self.refill()

    def unread(self) -> None:
        """Show the errors since the start in any case."""
        self.row_list.is_loaded = True
        self.refill()

    def arranged(self) -> Sequence[ProblemLine]:
        """The errors since the start, the latest first, and then what could not be read."""
        failures = [line_of_failure(failure) for failure in reversed(self.jobs.failures)]
        self._failures = len(failures)
        in_logs = self._in_logs
        if self.order != "latest":
            in_logs = sorted(in_logs, key=SORTS[self.order])
        self.all_rows = [*failures, *in_logs]
        if not self.filter_text:
            return self.all_rows
        return [row for row in self.all_rows if is_fitting(row.text.lower(), self.filter_text)]

    def retitle(self, shown: int) -> None:
        """Say how many problems are shown, and where they come from."""
        self.list_title.label = f"Problems  {shown:,} of {len(self.all_rows):,}"
        in_logs = f"{len(self._in_logs):,} in logs"
        self.list_title.detail = f"· {in_logs} · {self._failures:,} since Helix was opened"

    def no_rows(self) -> Sequence[str]:
        """Say that all is well."""
        return [
            "No problems: all that was swept could be read, nothing failed since.",
            "{sweep.start} sweeps for what is new, {pane.leave} goes back.",
        ]

    def show_current(self) -> None:
        """Show all of the problem under the cursor."""
        row = self.current
        self.page.show(lambda width: problem_lines(row, width) if row is not None else ())

    def action_copy(self) -> None:
        """Copy the problem on one line."""
        if (row := self.current) is not None:
            self.copy(row.text, "the problem")
