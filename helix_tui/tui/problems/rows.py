"""What the problems screen says of each problem."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.cells import chop_cells

from helix_tui.schema import Problem
from helix_tui.text.human import wrap
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.text_pane import Line
from helix_tui.tui.messages import JobFailed

_LONGEST = 4_000


class ProblemLine(NamedTuple):
    """A problem made safe: where it is, and what it is."""

    where: str
    place: str
    reason: str
    todo: str
    is_of_this_run: bool

    @property
    def text(self) -> str:
        """All of it on one line."""
        place = f" at byte {self.place}" if self.place else ""
        return f"{self.where}{place}: {self.reason} {self.todo}".strip()


def line_of_problem(problem: Problem) -> ProblemLine:
    """The line of something that could not be read."""
    place = f"{problem.offset:,}" if problem.offset is not None else ""
    where, reason = safe_line(problem.path, _LONGEST), safe_line(problem.reason, _LONGEST)
    return ProblemLine(where, place, reason, "", False)


def line_of_failure(failure: JobFailed) -> ProblemLine:
    """The line of something that went wrong since Helix was opened."""
    reason, todo = safe_line(failure.reason, _LONGEST), safe_line(failure.todo, 300)
    return ProblemLine(safe_line(failure.job, 80), "", reason, todo, True)


# Each order of the list; what was read last comes first in the first one.
SORTS: dict[str, Callable[[ProblemLine], tuple[str, ...]]] = {
    "latest": lambda row: (),
    "file": lambda row: (row.where,),
    "reason": lambda row: (row.reason, row.where),
}


def problem_lines(row: ProblemLine, width: int) -> list[Line]:
    """All of a problem, in lines of a width."""
    room = max(8, width - 2)
    pieces = [(part, "strong") for part in chop_cells(row.where, room)]
    pieces += [(f"at byte {row.place}", "plain")] if row.place else []
    pieces += [(part, "warn") for part in wrap(row.reason, room)]
    pieces += [(part, "plain") for part in wrap(row.todo, room)] if row.todo else []
    return [[(" ", "plain"), piece] for piece in pieces]
