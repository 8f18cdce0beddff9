"""Figures that other programs give, to every digit that they are known to."""

from __future__ import annotations

import math
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.measure.chance import chance_of_less
from helix_tui.measure.fisher import fisher
from helix_tui.measure.intervals import clopper_pearson, rate_ratio
from helix_tui.measure.looks import LEVEL, sessions_for_power, sessions_without
from helix_tui.measure.many import benjamini_hochberg

COUNTS = st.integers(0, 40).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of)))


def test_fisher() -> None:
    # [[3, 1], [1, 3]]: that the first is greater is that the second is less.
    assert fisher(3, 4, 1, 4, "less") == pytest.approx(0.242857142857, abs=5e-13)
    assert fisher(8, 10, 1, 6, "two-sided") == pytest.approx(0.034965034965, abs=5e-13)


@pytest.mark.parametrize(
    ("did", "of", "low", "high"),
    [
        (0, 10, 0, 0.308497),
        (1, 20, 0.001265, 0.248733),
        (3, 7, 0.098988, 0.815948),
        (5, 50, 0.033275, 0.218135),
    ],
)
def test_clopper_pearson(did: int, of: int, low: float, high: float) -> None:
    assert clopper_pearson(did, of) == pytest.approx((low, high), abs=5e-7)


@pytest.mark.parametrize(
    ("counts", "chance", "digits"),
    [
        ((10, 40, 4, 40), 0.9578507, 7),
        ((3, 7, 0, 13), 0.99043062, 8),
        ((49, 100, 51, 100), 0.38922948, 8),
    ],
)
def test_chance(counts: tuple[int, int, int, int], chance: float, digits: int) -> None:
    assert round(chance_of_less(*counts), digits) == chance


def test_benjamini_hochberg() -> None:
    given = [0.005, 0.009, 0.019, 0.022, 0.051, 0.101, 0.361, 0.387]
    wanted = [0.036, 0.036, 0.044, 0.044, 0.0816, 0.1347, 0.387, 0.387]
    assert benjamini_hochberg(given) == pytest.approx(wanted, abs=5e-5)
    assert benjamini_hochberg(given[::-1]) == pytest.approx(wanted[::-1], abs=5e-5)
    assert benjamini_hochberg([]) == []


def test_rate_ratio() -> None:
    # A float has some four steps in the last of these digits.
    wanted = (1.339735721772650, 3.388365573616252)
    assert rate_ratio(60, 51477.5, 30, 54308.7) == pytest.approx(wanted, abs=1.5e-15)
    assert rate_ratio(3, 1.0, 0, 1.0)[1] == math.inf
    with pytest.raises(ValueError, match="above zero"):
        rate_ratio(1, 0, 1, 1)


def test_sessions_without_any() -> None:
    rates = (0.5, 0.4, 0.3, 0.2, 0.1, 0.05)
    assert [sessions_without(rate, 0.05) for rate in rates] == [5, 6, 9, 14, 29, 59]
    # A look has a quarter of the error: ln(.0125) / ln(.7).
    assert sessions_without(0.3) == sessions_without(0.3, LEVEL) == 13
    assert sessions_without(1.0) == 1
    with pytest.raises(ValueError, match="above 0"):
        sessions_without(0.0)


@pytest.mark.parametrize(
    ("did", "of", "rate", "sessions"),
    [(6, 20, 0, 12), (6, 20, 0.05, 28), (12, 40, 0.05, 23), (12, 40, 0.15, 195)],
)
def test_sessions_for_power(did: int, of: int, rate: float, sessions: int) -> None:
    assert sessions_for_power(did, of, rate) == sessions


def test_what_never_happened_can_become_no_rarer() -> None:
    assert sessions_for_power(0, 5, 0.0, most=50) is None


@given(COUNTS, COUNTS)
def test_sides_of_fisher_share_what_was_seen(first: tuple[int, int], then: tuple[int, int]) -> None:
    less, greater = fisher(*first, *then, "less"), fisher(*first, *then, "greater")
    assert 0 < less <= 1
    assert less + greater >= 1
    assert fisher(*then, *first, "greater") == pytest.approx(less)
    assert min(less, greater) <= fisher(*first, *then, "two-sided") <= 1


@given(COUNTS, COUNTS)
def test_chances_of_less_and_of_more_are_all(first: tuple[int, int], then: tuple[int, int]) -> None:
    assert chance_of_less(*first, *then) + chance_of_less(*then, *first) == pytest.approx(1)


@given(COUNTS)
def test_an_interval_holds_its_rate_and_mirrors(counts: tuple[int, int]) -> None:
    did, of = counts
    low, high = clopper_pearson(did, of)
    assert 0 <= low <= (did / of if of else 0.5) <= high <= 1
    assert clopper_pearson(of - did, of) == pytest.approx((1 - high, 1 - low))


@given(COUNTS.filter(lambda counts: counts[0] > 0), st.sampled_from((0.5, 0.9, 0.95, 0.999)))
def test_the_low_end_is_where_so_many_are_that_unlikely(
    counts: tuple[int, int], confidence: float
) -> None:
    did, of = counts
    low, _ = clopper_pearson(did, of, confidence)
    at_least = sum(comb(of, k) * low**k * (1 - low) ** (of - k) for k in range(did, of + 1))
    assert at_least == pytest.approx((1 - confidence) / 2, rel=1e-9)


def test_intervals_take_thousands_of_sessions() -> None:
    assert clopper_pearson(2500, 5000) == pytest.approx((0.486044, 0.513956), abs=5e-7)
    # One formula hands over to the other without a step.
    low, high = clopper_pearson(30, 1000)
    then_low, then_high = clopper_pearson(30, 1001)
    assert then_low == pytest.approx(low, rel=2e-3)
    assert then_high == pytest.approx(high, rel=2e-3)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="no count"):
        clopper_pearson(3, 2)
    with pytest.raises(ValueError, match="no counts"):
        fisher(3, 2, 0, 1, "less")
