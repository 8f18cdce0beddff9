"""An alarm that what had stopped has come back: a Bernoulli CUSUM."""

from __future__ import annotations

from collections.abc import Iterable
from math import log

# With this limit some 100 quiet sessions raise a false alarm in 1 of 40 cases (docs/effect.md).
LIMIT = 6.0


def alarm(outcomes: Iterable[int], good: float, bad: float, limit: float = LIMIT) -> int | None:
    """After how many sessions the bad rate has become so much more likely than the good one.

    Each session adds the logarithm of how much likelier it is at the bad rate; the sum never falls
    below zero, so that good times do not hide bad ones. None where it never reaches the limit, or
    where the bad rate is no worse.
    """
    if not 0 < good < bad < 1:
        return None
    hit, miss = log(bad / good), log((1 - bad) / (1 - good))
    total = 0.0
    for at, did in enumerate(outcomes, 1):
        total = max(0.0, total + (hit if did else miss))
        if total >= limit:
            return at
    return None
