"""Fisher's exact test on two counts, by whole numbers: no rounding, no tables."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Literal

Side = Literal["less", "greater", "two-sided"]


@lru_cache(maxsize=65_536)
def fisher(did: int, of: int, then_did: int, then_of: int, side: Side) -> float:
    """How likely the second count is at least this far off if both have one rate.

    `less` and `greater` are about the second count: that it is lower, or higher, than the first.
    """
    if not (0 <= did <= of and 0 <= then_did <= then_of):
        raise ValueError(f"no counts: {did} of {of}, {then_did} of {then_of}")
    events = did + then_did
    fewest, most = max(0, events - of), min(events, then_of)
    # Each from the one before, in whole numbers.
    ways = {fewest: comb(then_of, fewest) * comb(of, events - fewest)}
    for k in range(fewest, most):
        more = ways[k] * ((then_of - k) * (events - k))
        ways[k + 1] = more // ((k + 1) * (of - events + k + 1))
    if side == "less":
        chosen = [many for k, many in ways.items() if k <= then_did]
    elif side == "greater":
        chosen = [many for k, many in ways.items() if k >= then_did]
    else:
        chosen = [many for many in ways.values() if many <= ways[then_did]]
    return sum(chosen) / comb(of + then_of, events)
