"""What jobs answer to the problems screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.tui.problems.rows import ProblemLine


class ProblemsLoaded(Fact):
    """What could not be read."""

    def __init__(self, rows: Sequence[ProblemLine]) -> None:
        super().__init__()
        self.rows = rows
