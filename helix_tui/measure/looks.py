"""When the test is made, and how many sessions it takes.

Whoever tests after every session finds something by luck sooner or later. So there are four looks,
and each has a quarter of the error that all of them may make.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, comb, fsum, log
from typing import NamedTuple

from helix_tui.measure.fisher import Side, fisher
from helix_tui.schema.effect import Baseline

LOOKS = (10, 20, 40, 80)
ALPHA = 0.05
LEVEL = ALPHA / len(LOOKS)


class Looked(NamedTuple):
    """What the looks so far found: each side's smallest p, and the look that decided, if any did.

    `lower` is for the rate having fallen, `higher` for it having risen; None before the first look.
    """

    lower: float | None = None
    higher: float | None = None
    helped_at: int | None = None
    worse_at: int | None = None


def look(baseline: Baseline, outcomes: Sequence[int]) -> Looked:
    """All looks that later sessions, in order of time, allow; the first that decides stands."""
    looked = Looked()
    for at in LOOKS:
        if at > len(outcomes) or not baseline.of:
            break
        then = sum(outcomes[:at])
        lower = p_of(baseline, then, at, "less")
        higher = p_of(baseline, then, at, "greater")
        is_open = looked.helped_at is None and looked.worse_at is None
        looked = Looked(
            lower if looked.lower is None else min(lower, looked.lower),
            higher if looked.higher is None else min(higher, looked.higher),
            at if is_open and lower <= LEVEL else looked.helped_at,
            at if is_open and higher <= LEVEL else looked.worse_at,
        )
    return looked


def p_of(baseline: Baseline, then: int, at: int, side: Side) -> float:
    """How likely later sessions are so far off the baseline by luck.

    A corrected rate is seldom a whole number of sessions. Between two of them the p of both is
    weighed by how near it is to each: rounded either way it would be of another rate.
    """
    first = fisher(baseline.lower, baseline.of, then, at, side)
    if baseline.rate is None or baseline.lower == baseline.upper:
        return first
    weight = baseline.rate * baseline.of - baseline.lower
    return first + weight * (fisher(baseline.upper, baseline.of, then, at, side) - first)


def can_tell(baseline: Baseline) -> bool:
    """Whether it could be seen to help at all: by its not happening once up to the last look."""
    return baseline.of > 0 and p_of(baseline, 0, LOOKS[-1], "less") <= LEVEL


def needed(baseline: Baseline, did: int, of: int) -> int | None:
    """How many more sessions the next verdict takes if it goes on at the rate since it came in.

    That is the look at which it would have helped, else the last one. None where no look is left,
    or none can tell.
    """
    left = [at for at in LOOKS if at > of]
    if not left or not can_tell(baseline):
        return None
    for at in left:
        then = did + round((at - of) * did / of) if of else 0
        if p_of(baseline, then, at, "less") <= LEVEL:
            return at - of
    return left[-1] - of


def sessions_without(rate: float, level: float = LEVEL) -> int:
    """How many sessions without it a known rate makes unlikely: n = ln(level) / ln(1 - rate)."""
    if not 0 < rate <= 1:
        raise ValueError(f"a rate above 0 and up to 1, not {rate}")
    return 1 if rate == 1 else ceil(log(level) / log(1 - rate))


def sessions_for_power(
    did: int, of: int, rate: float, level: float = ALPHA, power: float = 0.8, most: int = 1000
) -> int | None:
    """The first number of later sessions at which one test sees a fall to a rate that often."""
    numbers = range(1, most + 1)
    return next((then for then in numbers if _power(did, of, rate, then, level) >= power), None)


def _power(did: int, of: int, rate: float, then: int, level: float) -> float:
    """How often so many later sessions, at their true rate, pass the test."""
    chances = []
    for hits in range(then + 1):
        if fisher(did, of, hits, then, "less") > level:
            break
        chances.append(comb(then, hits) * rate**hits * (1 - rate) ** (then - hits))
    return fsum(chances)
