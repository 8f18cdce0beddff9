"""Exact intervals: of a share (Clopper and Pearson), and of a ratio of two rates."""

from __future__ import annotations

from functools import lru_cache
from math import comb, exp, expm1, floor, inf, isfinite, lgamma, log, log1p

CONFIDENCE = 0.95
# Up to here the ways to choose fit in a float.
_COUNTABLE = 1000
_NOTHING = 1e-18
# A root is closed in on some six times; by halves alone it would be sixty.
_MOST_TURNS = 200
_LAST_BITS = 4e-16


@lru_cache(maxsize=65_536)
def clopper_pearson(did: int, of: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The shares that do not contradict a count; it covers the true one at least so often."""
    if not 0 <= did <= of:
        raise ValueError(f"no count: {did} of {of}")
    tail = (1 - confidence) / 2
    low = 0.0 if did == 0 else _share(did, of, tail)
    # At most so many did: at least the others did not.
    rest = of - did
    return low, 1.0 if rest == 0 else 1 - _share(rest, of, tail)


def rate_ratio(
    did: int, time: float, other_did: int, other_time: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The interval of one rate over another, for events that are counted over some time.

    Given how many events there were in all, the first's part of them is binomial.
    """
    if not (time > 0 and other_time > 0 and isfinite(time) and isfinite(other_time)):
        raise ValueError(f"times of rates are above zero, not {time} and {other_time}")
    low, high = clopper_pearson(did, did + other_did, confidence)
    return _odds(low) * other_time / time, _odds(high) * other_time / time


def _odds(share: float) -> float:
    return inf if share == 1 else share / (1 - share)


def _at_least(did: int, of: int, share: float) -> float:
    """P(X ≥ did) of a binomial; 1 where it is more than half, which no caller needs closer."""
    if share == 0:
        return 0.0  # whoever asks for none of them needs no interval's end
    # A binomial's median is its mean, rounded up or down.
    if did <= floor(of * share):
        return 1.0
    term = total = _exactly(did, of, share)
    odds = share / (1 - share)
    for k in range(did, of):
        term *= (of - k) / (k + 1) * odds
        total += term
        if term < total * _NOTHING:
            break
    return total


def _exactly(did: int, of: int, share: float) -> float:
    """P(X = did); by logarithms where the number of ways is beyond a float."""
    if of <= _COUNTABLE:
        return _ways(of, did) * share**did * (1 - share) ** (of - did)
    ways = lgamma(of + 1) - lgamma(did + 1) - lgamma(of - did + 1)
    return exp(ways + did * log(share) + (of - did) * log1p(-share))


# A root asks for the same some sixty times.
@lru_cache(maxsize=1024)
def _ways(of: int, did: int) -> float:
    return float(comb(of, did))


def _share(did: int, of: int, chance: float) -> float:
    """The share at which at least so many of all are as likely as that.

    By Newton's steps from where it rises most steeply, below which it is convex, so that they fall
    to it from above; halved where rounding would lead astray.
    """
    low, high = 0.0, 1.0
    # Where all or any are asked for it can be said outright.
    if did == of:
        return float(chance ** (1 / of))
    share = -expm1(log1p(-chance) / of) if did == 1 else (did - 1) / (of - 1)
    for _ in range(_MOST_TURNS):
        value = _at_least(did, of, share) - chance
        if value > 0:
            high = share
        else:
            low = share
        slope = _exactly(did, of, share) * did / share
        step = value / slope if slope else inf
        before, share = share, share - step
        if abs(step) <= _LAST_BITS * before or high - low <= _LAST_BITS * high:
            break
        if not low < share < high:
            share = (low + high) / 2
    return share
