"""What jobs answer to the budget screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.engine.status import Status
    from helix_tui.schema import Evictable, RetentionReport, SweepSummary


class HoldingsLoaded(Fact):
    """What is kept, how it came to that, and what goes next; no plan where nothing is stored."""

    def __init__(
        self,
        status: Status,
        plan: RetentionReport | None,
        growth: Sequence[SweepSummary],
        holdings: Sequence[Evictable],
    ) -> None:
        super().__init__()
        self.status = status
        self.plan = plan
        self.growth = growth
        self.holdings = holdings
