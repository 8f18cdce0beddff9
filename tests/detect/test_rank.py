"""What a candidate is worth, and how candidates stand over time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.detect.rank import Population, counted_sessions, rank, wilson_low
from helix_tui.detect.states import MOST_WEEKS, state_of, trend_of, week_of
from helix_tui.schema.candidate import Candidate, Member, Ranked
from tests.detect.made import DAY, NOW, WEEK, candidate


def among(total: int = 300, **fields: Any) -> Population:
    """So many sessions that could have had something."""
    return Population(fields.get("flavors", {"claude": total}), {}, total, NOW)


def order(*candidates: Candidate, total: int = 300) -> list[str]:
    return [one.candidate.id for one in rank(candidates, among(total))]


def ranked(one: Candidate, total: int = 300, *others: Candidate) -> Ranked:
    return next(found for found in rank([one, *others], among(total)) if found.candidate is one)


class TestWilson:
    """The lower bound of a share."""

    @pytest.mark.parametrize(
        ("having", "eligible", "low"),
        [(0, 10, 0.0), (0, 0, 0.0), (10, 10, 0.7225), (40, 300, 0.0994), (1, 1, 0.2065)],
    )
    def test_known_values(self, having: int, eligible: int, low: float) -> None:
        assert wilson_low(having, eligible) == pytest.approx(low, abs=1e-4)

    @given(st.integers(1, 5000), st.data())
    def test_it_is_within_the_share(self, eligible: int, data: st.DataObject) -> None:
        having = data.draw(st.floats(0, eligible))
        assert 0 <= wilson_low(having, eligible) <= having / eligible + 1e-12

    @given(st.integers(1, 5000), st.data())
    def test_more_sessions_are_never_less(self, eligible: int, data: st.DataObject) -> None:
        fewer = data.draw(st.integers(0, eligible))
        more = data.draw(st.integers(fewer, eligible))
        assert wilson_low(fewer, eligible) <= wilson_low(more, eligible)

    @given(st.integers(1, 1000), st.integers(1, 1000), st.integers(2, 50))
    def test_the_same_share_of_more_is_surer(self, having: int, rest: int, times: int) -> None:
        total = having + rest
        assert wilson_low(having, total) < wilson_low(having * times, total * times)


class TestRepositories:
    """One repository counts for at most half of the sessions."""

    @pytest.mark.parametrize(
        ("by_repo", "counted"),
        [({}, 0), ({"a": 10}, 5), ({"a": 5, "b": 5}, 10), ({"a": 9, "b": 1}, 6), ({"a": 1}, 0.5)],
    )
    def test_capped(self, by_repo: dict[str, int], counted: float) -> None:
        assert counted_sessions(by_repo) == counted

    @given(st.dictionaries(st.sampled_from("abcd"), st.integers(1, 100)), st.sampled_from("abcd"))
    def test_one_more_session_is_never_less(self, by_repo: dict[str, int], repo: str) -> None:
        more = {**by_repo, repo: by_repo.get(repo, 0) + 1}
        assert counted_sessions(by_repo) < counted_sessions(more) <= sum(more.values())

    def test_spread_ranks_before_one_repository(self) -> None:
        one = candidate("one", 8, each={"repo": "app"})
        assert order(one, candidate("many", 8)) == ["many", "one"]


class TestScore:
    """Rate times waste; every part is there to be shown."""

    def test_the_parts_multiply_up(self) -> None:
        found = ranked(candidate(members=4))
        parts = found.parts
        assert (parts.sessions, parts.counted_sessions, parts.eligible) == (4, 4, 300)
        assert (parts.median_tokens, parts.median_minutes, parts.waste) == (1000, 1, 2)
        assert found.score == pytest.approx(100 * parts.rate_low * parts.waste, abs=0.001)
        assert found.cost_impact == 4000
        assert found.frequency == 4

    def test_one_of_one_never_beats_forty_of_three_hundred(self) -> None:
        """Once and dear among the same sessions, or all of a store with one session."""
        dear = {"chars": 10**9, "ms": 10**9}
        once = ranked(candidate("once", 1, each={**dear, "flavor": "claude"}), 1)
        often = ranked(candidate("often", 40, each=dear), 300)
        assert once.parts.rate_low < often.parts.rate_low
        assert order(candidate("once", 1), candidate("often", 40)) == ["often", "once"]

    def test_an_outlier_does_not_decide(self) -> None:
        plain, wild = candidate("plain", 20), candidate("wild", 20)
        wild.members["s0"].chars = 10**9
        assert ranked(wild).score == ranked(plain).score
        assert ranked(wild).cost_impact == ranked(plain).cost_impact

    def test_tokens_and_minutes_have_a_ceiling(self) -> None:
        found = ranked(candidate(each={"chars": 10**9, "ms": 10**9}))
        assert (found.parts.median_tokens, found.parts.median_minutes) == (50_000, 30)

    def test_what_is_counted_often_in_a_session_costs_each_time(self) -> None:
        found = ranked(candidate(each={"count": 4}))
        assert found.parts.median_tokens == 250
        assert found.cost_impact == 3000

    def test_recency_plays_no_part(self) -> None:
        old = candidate("old", each={"first_ts": NOW - 40 * WEEK, "last_ts": NOW - 40 * WEEK})
        assert ranked(old).score == ranked(candidate("new")).score


class TestFlavors:
    """What several agents have in common goes first."""

    def of(self, name: str, **flavors: int) -> Candidate:
        found = candidate(name, sum(flavors.values()))
        names = [flavor for flavor, count in flavors.items() for _ in range(count)]
        for member, flavor in zip(found.members.values(), names, strict=True):
            member.flavor = flavor
        return found

    def test_firm_before_cross_before_the_rest(self) -> None:
        many = self.of("single", claude=90)
        cross = self.of("cross", claude=40, codex=1)
        firm = self.of("firm", claude=2, grok=2)
        assert order(many, cross, firm) == ["firm", "cross", "single"]
        flags = [(one.is_cross_flavor, one.is_cross_flavor_firm) for one in rank(
            [many, cross, firm], among()
        )]  # fmt: skip
        assert flags == [(True, True), (True, False), (False, False)]

    def test_rates_are_by_flavor(self) -> None:
        population = among(flavors={"claude": 200, "grok": 100})
        (found,) = rank([self.of("x", claude=2, grok=3)], population)
        assert found.flavors == {"grok": (3, 100), "claude": (2, 200)}

    def test_equal_ones_stand_in_a_fixed_order(self) -> None:
        some = [candidate(name) for name in ("c", "a", "b")]
        assert order(*some) == order(*reversed(some)) == ["a", "b", "c"]


class TestStates:
    """Each state by its rule over weeks."""

    def test_weeks_begin_on_monday(self) -> None:
        def at(*date: int) -> int:
            return week_of(int(datetime(*date, tzinfo=UTC).timestamp() * 1000))  # type: ignore[misc,arg-type]

        assert at(2026, 2, 1, 23, 59) + 1 == at(2026, 2, 2) == at(2026, 2, 8, 23, 59)
        assert at(2026, 2, 9) == at(2026, 2, 2) + 1

    @pytest.mark.parametrize(
        ("weeks_ago", "state"),
        [
            ([0], "new"),
            ([0, 1, 1], "new"),
            ([2], "ongoing"),
            ([0, 2], "ongoing"),
            ([0, 1, 2, 3, 4], "ongoing"),
            ([3], "quiet"),
            ([3, 9], "quiet"),
            ([], "quiet"),
            ([0, 4], "regressed"),
            ([0, 3], "ongoing"),
            ([1, 5], "regressed"),
            ([1, 4], "ongoing"),
            ([0, 0, 0, 2], "escalating"),
            ([0, 0, 1, 2, 3, 5], "escalating"),
            ([0, 0, 1, 2, 2, 3, 3], "ongoing"),
            ([0, 0, 2], "ongoing"),
        ],
    )
    def test_each_state(self, weeks_ago: list[int], state: str) -> None:
        weeks = sorted(week_of(NOW) - week for week in weeks_ago)
        assert state_of(weeks, max(weeks, default=0), week_of(NOW)) == state

    def test_what_was_just_seen_in_an_old_session_is_not_quiet(self) -> None:
        assert state_of([week_of(NOW) - 5], week_of(NOW), week_of(NOW)) == "ongoing"
        each = {"first_ts": NOW - 5 * WEEK, "last_ts": NOW}
        (found,) = rank([candidate(each=each)], Population({}, {}, 9, NOW))
        assert (found.state, found.last_ts) == ("ongoing", NOW)

    def test_the_trend_ends_with_the_newest_week(self) -> None:
        now = week_of(NOW)
        assert trend_of([now - 3, now - 1, now - 1, now], now) == [1, 0, 2, 1]
        assert trend_of([now - 3], now) == [1, 0, 0, 0]
        assert trend_of([], now) == [0]

    def test_it_is_half_a_year_at_most(self) -> None:
        trend = trend_of([week_of(NOW) - 100, week_of(NOW)], week_of(NOW))
        assert (len(trend), sum(trend)) == (MOST_WEEKS, 1)

    def test_a_candidate_counts_sessions_by_week(self) -> None:
        found = candidate(members=0)
        for number, days in enumerate((0, 1, 8)):
            ts = NOW - days * DAY
            found.members[str(number)] = Member("claude", f"r{number}", 5, ts, ts, 4000, 0)
        shown = ranked(found)
        # Noon of a Monday: the day before is of the week before.
        assert (shown.trend, shown.state) == ([1, 1, 1], "ongoing")
        assert (shown.first_ts, shown.last_ts) == (NOW - 8 * DAY, NOW)
