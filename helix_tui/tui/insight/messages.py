"""What jobs answer to the insight screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.schema.report import Report


class ReportMade(Fact):
    """The report of a period; None where nothing is stored."""

    def __init__(self, report: Report | None) -> None:
        super().__init__()
        self.report = report
