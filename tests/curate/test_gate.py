"""The gate names every floor, and more evidence never clears less."""

from __future__ import annotations

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from helix_tui.curate.draft.gate import FloorResult, GateVerdict, gate, weight_of
from helix_tui.schema.candidate import Ranked
from helix_tui.schema.curation import Floors
from tests.curate.candidates import candidate, ranked

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "25"))
AGENTS = ("claude", "codex", "grok")
PLENTY = ranked(candidate(), frequency=9, cost_impact=5_000)


def of(agents: list[str], frequency: int, cost: int) -> Ranked:
    return ranked(candidate(flavors=agents), frequency=frequency, cost_impact=cost)


def floor(verdict: GateVerdict, name: str) -> FloorResult:
    return next(one for one in verdict.floors if one.name == name)


def test_names_every_floor_with_what_is_there_and_what_is_needed() -> None:
    verdict = gate(weight_of(of(["claude"] * 4, 7, 600)), Floors())
    names = ["words" if name == "require_words" else name for name in Floors._fields]
    assert [one.name for one in verdict.floors] == names
    assert floor(verdict, "words") == ("words", 1, 1, True, False)
    assert floor(verdict, "min_frequency") == ("min_frequency", 7, 3, True, False)
    assert floor(verdict, "min_sessions") == ("min_sessions", 4, 3, True, False)
    assert floor(verdict, "min_cost_impact") == ("min_cost_impact", 600, 500, True, False)
    agents = floor(verdict, "dist_require_cross_flavor")
    assert agents == ("dist_require_cross_flavor", 1, 2, False, True)
    assert floor(verdict, "dist_min_frequency") == ("dist_min_frequency", 7, 5, True, True)
    assert floor(verdict, "dist_min_cost_impact") == (
        "dist_min_cost_impact",
        600,
        2000,
        False,
        True,
    )


def test_what_clears_both_floors_is_approved_and_ready_for_agents() -> None:
    verdict = gate(weight_of(PLENTY), Floors())
    assert verdict.clears_promotion
    assert verdict.clears_distribution
    assert (verdict.status, verdict.distribution_ready) == ("approved", True)
    assert verdict.missed() == []


def test_what_is_thin_but_real_lands_provisional() -> None:
    verdict = gate(weight_of(of(["claude", "claude", "codex"], 3, 500)), Floors())
    assert verdict.clears_promotion
    assert (verdict.status, verdict.distribution_ready) == ("provisional", False)


def test_what_is_below_the_floor_says_which_one() -> None:
    verdict = gate(weight_of(of(["claude", "codex"], 9, 0)), Floors())
    assert not verdict.clears_promotion
    assert [one.name for one in verdict.missed()] == ["min_sessions", "min_cost_impact"]
    assert verdict.status == "provisional"


def test_one_session_of_a_second_agent_is_a_second_agent() -> None:
    verdict = gate(weight_of(of(["claude"] * 4 + ["grok"], 9, 5_000)), Floors())
    assert floor(verdict, "dist_require_cross_flavor").is_met
    assert verdict.distribution_ready


def test_one_agent_is_enough_where_no_second_is_asked_for() -> None:
    verdict = gate(weight_of(of(["claude"] * 4, 9, 5_000)), Floors(dist_require_cross_flavor=False))
    assert floor(verdict, "dist_require_cross_flavor").needed == 1
    assert verdict.distribution_ready


def test_a_second_floor_below_the_first_does_not_let_more_through() -> None:
    floors = Floors(min_frequency=20, dist_min_frequency=1, dist_min_cost_impact=0)
    verdict = gate(weight_of(PLENTY), floors)
    assert not verdict.clears_promotion
    assert not verdict.distribution_ready


counts = st.integers(0, 12)
floors_of = st.builds(Floors, counts, counts, counts, st.booleans(), counts, counts)
sessions = st.lists(st.sampled_from(AGENTS), min_size=1, max_size=6)


@given(sessions, sessions, counts, counts, counts, counts, floors_of)
@settings(max_examples=EXAMPLES * 4, deadline=None)
def test_more_evidence_never_clears_less(
    agents: list[str],
    more: list[str],
    seen: int,
    grown: int,
    cost: int,
    dearer: int,
    floors: Floors,
) -> None:
    before = gate(weight_of(of(agents, seen, cost)), floors)
    after = gate(weight_of(of(agents + more, seen + grown, cost + dearer)), floors)
    assert [one.name for one in before.floors] == [one.name for one in after.floors]
    for old, new in zip(before.floors, after.floors, strict=True):
        assert new.is_met or not old.is_met
    assert after.clears_promotion or not before.clears_promotion
    assert after.clears_distribution or not before.clears_distribution
    assert after.distribution_ready or not before.distribution_ready


@given(sessions, counts, counts, floors_of)
@settings(max_examples=EXAMPLES * 4, deadline=None)
def test_what_clears_is_exactly_what_its_floors_say(
    agents: list[str], seen: int, cost: int, floors: Floors
) -> None:
    verdict = gate(weight_of(of(agents, seen, cost)), floors)
    assert all(one.is_met == (one.actual >= one.needed) for one in verdict.floors)
    assert verdict.clears_promotion == (not verdict.missed())
    assert verdict.clears_distribution == all(one.is_met for one in verdict.floors)
    assert verdict.distribution_ready == (verdict.status == "approved")


def test_a_page_without_words_is_never_handed_to_agents() -> None:
    wordless = gate(weight_of(PLENTY), Floors(), has_words=False)
    assert [one.name for one in wordless.missed()] == ["words"]
    lenient = gate(weight_of(PLENTY), Floors(require_words=False), has_words=False)
    assert lenient.clears_promotion
    assert (lenient.status, lenient.distribution_ready) == ("provisional", False)
