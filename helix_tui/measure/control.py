"""Those who did not see a rule: what became of it with them in the same time."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from helix_tui.measure.fisher import fisher
from helix_tui.measure.looks import ALPHA
from helix_tui.schema.effect import Difference

FEWEST_EVENTS = 5


class Count(NamedTuple):
    """In how many sessions it happened, of how many in which it could."""

    did: int
    of: int


def difference(
    before: Count, after: Count, control_before: Count, control_after: Count
) -> Difference | None:
    """The change less the control's change; None with under five events, or others, in a cell."""
    cells = (before, after, control_before, control_after)
    if any(min(cell.did, cell.of - cell.did) < FEWEST_EVENTS for cell in cells):
        return None
    first, then, other_first, other_then = (cell.did / cell.of for cell in cells)
    change = (then - first) - (other_then - other_first)
    error = sqrt(sum(cell.did * (cell.of - cell.did) / cell.of**3 for cell in cells))
    reach = NormalDist().inv_cdf(1 - ALPHA / 2) * error
    return Difference(change, change - reach, change + reach)


def fell(before: Count, after: Count) -> bool:
    """Whether the control's own rate fell, by one test."""
    return fisher(before.did, before.of, after.did, after.of, "less") <= ALPHA
