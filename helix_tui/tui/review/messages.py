"""What jobs answer to the review screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix_tui.tui.messages import Fact

if TYPE_CHECKING:
    from helix_tui.engine.status import Status
    from helix_tui.schema import RetentionReport, SweepSummary
    from helix_tui.schema.review import Seen
    from helix_tui.tui.kit.candidate_row import ReviewRow
    from helix_tui.tui.review.draft_text import Draft


class BoardLoaded(Fact):
    """The candidates, as they stand, and the orders that they can be in."""

    def __init__(
        self,
        rows: Mapping[str, ReviewRow],
        orders: Mapping[str, Sequence[str]],
        stale: str,
        troubles: Sequence[str],
        changes: int,
        seen: Seen | None = None,
        title_width: int = 0,
    ) -> None:
        """`changes` is how many the list had seen when this was asked for, `seen` its journal.

        `title_width` is how wide a title must be so that few are cut.
        """
        super().__init__()
        self.title_width = title_width
        self.seen = seen
        self.changes = changes
        self.rows = rows
        self.orders = orders
        self.stale = stale
        self.troubles = troubles


class DraftLoaded(Fact):
    """What approving a candidate would write; `number` says for which question it was read."""

    def __init__(self, draft: Draft, number: int) -> None:
        super().__init__()
        self.draft = draft
        self.number = number


class StatusLoaded(Fact):
    """What the store holds."""

    def __init__(self, status: Status) -> None:
        super().__init__()
        self.status = status


class BudgetLoaded(Fact):
    """What the next sweep would evict, and how the store grew."""

    def __init__(self, plan: RetentionReport, growth: Sequence[SweepSummary]) -> None:
        super().__init__()
        self.plan = plan
        self.growth = growth
