"""The eviction plan: which sessions go, in which pass, and why."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helix_tui.retain.plan import GROWING_MS, plan
from helix_tui.schema import Caps, DiskUsage, Evictable, RetentionPlan

NOW = 1_800_000_000_000
DAY = 86_400_000


def session(
    key: int, days: float = 10, size: int = 100, *, analyzed: bool = True, pinned: bool = False
) -> Evictable:
    return Evictable(key, f"claude:{key}", NOW - int(days * DAY), size, analyzed, pinned)


def planned(
    sessions: list[Evictable], soft: int = 10**9, hard: int = 10**9, days: int = 0
) -> RetentionPlan:
    usage = DiskUsage(sum(item.raw_bytes for item in sessions), 0)
    return plan(sessions, usage, Caps(soft, hard, days, 10**9), NOW)


def names(found: RetentionPlan) -> list[tuple[int, str]]:
    return [(eviction.key, eviction.in_pass) for eviction in found.evictions]


class TestPasses:
    """Age, then the soft cap, then the hard cap."""

    def test_below_all_caps_nothing_goes(self) -> None:
        assert names(planned([session(1), session(2)])) == []

    def test_evicts_oldest_analyzed_first(self) -> None:
        found = planned([session(1, 1), session(2, 9), session(3, 5)], soft=150)
        assert names(found) == [(2, "soft"), (3, "soft")]

    def test_age_goes_before_the_caps_and_needs_none(self) -> None:
        assert names(planned([session(1, 31), session(2, 29)], days=30)) == [(1, "age")]

    def test_soft_pass_leaves_pinned_growing_and_unanalyzed(self) -> None:
        sessions = [
            session(1, pinned=True),
            session(2, 0.01),
            session(3, analyzed=False),
            session(4),
        ]
        assert names(planned(sessions, soft=0)) == [(4, "soft")]

    def test_hard_pass_takes_growing_then_pinned_then_unanalyzed(self) -> None:
        sessions = [
            session(1, analyzed=False),
            session(2, pinned=True),
            session(3, 0.01),
            session(4, 0.01, pinned=True),
            session(5),
        ]
        found = planned(sessions, soft=10**9, hard=0)
        assert names(found) == [(5, "hard"), (3, "hard"), (2, "hard"), (4, "hard"), (1, "hard")]
        assert found.data_loss == ["claude:1"]

    def test_hard_pass_stops_at_the_cap(self) -> None:
        found = planned([session(1, 9), session(2, 8), session(3, 7)], hard=200)
        assert names(found) == [(1, "hard")]

    def test_a_session_without_time_is_the_oldest(self) -> None:
        timeless = Evictable(7, "claude:7", None, 100, True, False)
        assert names(planned([session(1, 400), timeless], soft=100)) == [(7, "soft")]

    def test_each_eviction_says_why(self) -> None:
        found = planned([session(1, 400), session(2, 9), session(3)], soft=50, days=365)
        assert [item.reason for item in found.evictions] == [
            "older than 365 days",
            "the oldest above the soft cap",
            "the oldest above the soft cap",
        ]


@given(
    sessions=st.lists(
        st.tuples(st.floats(0, 100), st.integers(1, 1000), st.booleans(), st.booleans()),
        max_size=30,
    ),
    soft=st.integers(0, 10_000),
    extra=st.integers(0, 10_000),
    days=st.sampled_from([0, 1, 30]),
)
def test_any_plan_keeps_the_caps_and_the_invariant(
    sessions: list[tuple[float, int, bool, bool]], soft: int, extra: int, days: int
) -> None:
    listed = [
        session(key, age, size, analyzed=analyzed, pinned=pinned)
        for key, (age, size, analyzed, pinned) in enumerate(sessions)
    ]
    found = planned(listed, soft, soft + extra, days)
    gone = {eviction.key for eviction in found.evictions}
    assert len(gone) == len(found.evictions)
    left = [item for item in listed if item.key not in gone]
    raw = sum(item.raw_bytes for item in left)
    assert raw == found.usage.raw - found.freed
    assert raw <= soft + extra
    # What has no digest goes only when all that has one is gone.
    if found.data_loss:
        assert not any(item.is_analyzed for item in left)
    assert {item.id for item in listed if item.key in gone and not item.is_analyzed} == set(
        found.data_loss
    )
    # Above the soft cap nothing is left that the soft pass may take.
    growing = NOW - GROWING_MS
    free = [
        item
        for item in left
        if item.is_analyzed and not item.is_pinned and (item.last_ts or 0) <= growing
    ]
    assert raw <= soft or not free
