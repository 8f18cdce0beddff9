"""The verdict of one pattern, and of many."""

from __future__ import annotations

import json

import msgspec
import pytest

from helix_tui.measure.verdict import judge, settle
from helix_tui.schema.context import ExposureState
from helix_tui.schema.effect import Case, Effect, Peer, Watched

SINCE = 1_767_225_600_000
HOUR = 3_600_000


def sessions(
    did: int,
    of: int,
    start: int,
    group: str = "claude",
    saw: ExposureState = "observed_yes",
    idle: int = 0,
) -> list[Watched]:
    """Sessions of which the last ones did, behind some in which it was not possible."""
    rows = [(False, False)] * idle + [(True, at >= of - did) for at in range(of)]
    return [Watched(start + at * HOUR, group, saw, *row) for at, row in enumerate(rows)]


def before(did: int, of: int, group: str = "claude") -> list[Watched]:
    return sessions(did, of, SINCE - of * HOUR, group, "assumed_no")


def case(*streams: list[Watched], id: str = "p") -> Case:
    rows = [session for stream in streams for session in stream]
    return Case(id=id, version="1.0.0", since=SINCE, how="ledger", sessions=rows)


def kinds(effect: Effect) -> set[str]:
    return {warning.kind for warning in effect.warnings}


def test_helped_is_said_in_one_plain_sentence() -> None:
    codex = [*before(6, 12, "codex"), *sessions(5, 12, SINCE, "codex", "assumed_no")]
    effect = settle([judge(case(before(9, 30), sessions(1, 24, SINCE, idle=4), codex))])[0]
    assert effect.sentence == (
        "In 28 sessions since it came in: 1 of 24 that could; before: 9 of 30. Helped, p = .006. "
        "Codex, which did not load it: 5 of 12."
    )
    assert effect.state == "helped"
    # The look was at twenty, none of which did.
    assert effect.p == pytest.approx(0.00571, abs=5e-6)
    assert effect.q == pytest.approx(4 * 0.00571, abs=2e-5)
    assert effect.chance is not None
    assert effect.chance > 0.98
    assert effect.needed is None
    assert effect.warnings == []


def test_json_has_the_names_of_the_command() -> None:
    made = json.loads(msgspec.json.encode(judge(case(before(9, 30), sessions(1, 24, SINCE)))))
    assert made["before"] == {
        "with": 9,
        "opportunities": 30,
        "rate": 0.3,
        "low": pytest.approx(0.1473, abs=1e-4),
        "high": pytest.approx(0.4940, abs=1e-4),
    }
    assert made["exposure"] == {"observed": 24, "assumed": 0, "unknown": 0, "unseen": 0}
    assert made["control"] is None
    assert sum(week["opportunities"] for week in made["weeks"]) == 54
    assert sum(week["with"] for week in made["weeks"]) == 10
    assert made["weeks"][0]["week"] == "2025-12-29"
    assert {"id", "version", "since", "how", "state", "baseline", "p", "q", "needed"} <= {*made}


def test_too_few_says_how_many_more() -> None:
    effect = judge(case(before(9, 30), sessions(0, 12, SINCE)))
    assert (effect.state, effect.needed) == ("too_few", 8)
    assert effect.sentence.endswith("Too few to tell: about 8 more that could.")


def test_a_rule_that_was_seen_where_nothing_could_happen_waits() -> None:
    effect = judge(case(before(9, 30), sessions(0, 0, SINCE, idle=5)))
    assert (effect.state, effect.needed, effect.p, effect.chance) == ("too_few", 20, None, None)
    assert effect.sentence.startswith("In 5 sessions since it came in: 0 of 0 that could;")


def test_eighty_sessions_without_a_difference_are_no_change() -> None:
    spread = [one._replace(did=at % 4 == 0) for at, one in enumerate(sessions(0, 80, SINCE))]
    effect = judge(case(before(9, 30), spread))
    assert effect == judge(case(spread[::-1], before(9, 30))), "they are taken by time"
    assert (effect.state, effect.needed) == ("no_change", None)
    assert "No change that can be told, p = ." in effect.sentence


def test_worse() -> None:
    effect = judge(case(before(3, 30), sessions(10, 10, SINCE)))
    assert effect.state == "worse"
    assert effect.p == effect.higher
    assert "Worse, p < .001." in effect.sentence


def test_what_comes_back_has_regressed() -> None:
    again = sessions(15, 15, SINCE + 20 * HOUR)
    effect = judge(case(before(9, 30), sessions(0, 20, SINCE), again))
    assert effect.state == "regressed"
    assert "It had helped, p = .006, and has come back since." in effect.sentence


def test_what_nobody_loaded_was_not_seen() -> None:
    unseen = [
        *sessions(3, 10, SINCE, "codex", "observed_no"),
        *sessions(3, 10, SINCE, "grok", "assumed_no"),
    ]
    effect = judge(case(before(9, 30), unseen))
    assert (effect.state, effect.p, effect.needed) == ("not_seen", None, None)
    assert effect.control is not None
    assert (effect.control.did, effect.control.opportunities) == (6, 20)
    assert effect.sentence == (
        "No session since it came in is known to have seen it; before: 9 of 30. Nothing can be "
        "said yet. Codex and Grok, which did not load it: 6 of 20."
    )
    assert effect.warnings == []
    assert judge(case(before(9, 30))).state == "not_seen"
    assert judge(case()).sentence


def test_a_session_of_which_nobody_knows_counts_nowhere() -> None:
    unknown = sessions(7, 7, SINCE, "claude", "unknown")
    missed = sessions(2, 2, SINCE, "claude", "observed_no")
    other = [*before(4, 9, "grok"), *sessions(4, 9, SINCE, "grok", "unknown")]
    effect = judge(case(before(9, 30), sessions(0, 20, SINCE), unknown, missed, other))
    assert effect.after.opportunities == 20
    assert effect.before.opportunities == 30
    assert effect.control is None
    assert kinds(effect) == {"unknown", "unseen"}
    assert (effect.exposure.unknown, effect.exposure.unseen) == (16, 2)


def test_what_is_only_assumed_is_told() -> None:
    assumed = sessions(0, 12, SINCE, saw="assumed_yes")
    effect = judge(case(before(9, 30), assumed, sessions(0, 8, SINCE)))
    assert (effect.state, kinds(effect)) == ("helped", {"assumed"})
    assert (effect.exposure.observed, effect.exposure.assumed) == (8, 12)


def test_few_candidates_are_told() -> None:
    few = msgspec.structs.replace(
        case(before(9, 30), sessions(0, 20, SINCE)), peers=[Peer(9, 30, 4, 15)]
    )
    effect = judge(few)
    assert effect.baseline_method == "split"
    assert "only 15 of the sessions before count" in effect.warnings[0].message


def test_a_session_that_began_before_and_saw_the_rule_counts_nowhere() -> None:
    resumed = sessions(5, 5, SINCE - 40 * HOUR)
    plain = case(before(9, 30), sessions(0, 20, SINCE))
    assert judge(case(resumed, before(9, 30), sessions(0, 20, SINCE))) == judge(plain)


def test_only_agents_that_came_to_see_it_are_compared() -> None:
    codex = [*before(30, 40, "codex"), *sessions(12, 40, SINCE, "codex", "assumed_no")]
    effect = judge(case(before(15, 40), sessions(8, 40, SINCE), codex))
    assert (effect.before.opportunities, effect.after.opportunities) == (40, 40)
    assert effect.control_before is not None
    assert effect.control_before.did == 30
    assert effect.difference is not None
    assert effect.difference.change == pytest.approx((8 - 15) / 40 - (12 - 30) / 40)


def test_a_control_that_fell_as_well_is_told() -> None:
    codex = [*before(20, 50, "codex"), *sessions(5, 50, SINCE, "codex", "assumed_no")]
    effect = judge(case(before(15, 40), sessions(0, 40, SINCE), codex))
    assert effect.state == "helped"
    assert "control_fell" in kinds(effect)
    assert effect.sentence.endswith("It became rarer there, too.")
    assert effect.difference is None, "none of the later sessions had it"


def test_what_was_rare_before_never_tells() -> None:
    effect = judge(case(before(1, 20), sessions(0, 80, SINCE)))
    assert (effect.state, effect.needed, kinds(effect)) == ("too_few", None, {"rare"})
    assert "86" in effect.warnings[0].message
    effect = judge(case(sessions(0, 80, SINCE)))
    assert (effect.state, effect.baseline, kinds(effect)) == ("too_few", None, {"none_before"})


def test_a_pattern_that_was_picked_is_held_to_less_than_it_showed() -> None:
    peers = [Peer(did, 30) for did in (3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 9)]
    raw = case(before(9, 30), sessions(0, 20, SINCE))
    picked = msgspec.structs.replace(raw, peers=peers)
    assert judge(raw).state == "helped"
    effect = judge(picked)
    assert effect.state == "too_few"
    assert effect.before.rate == 0.3
    assert effect.baseline is not None
    assert effect.baseline < 0.25
    assert effect.baseline_low < effect.baseline < effect.baseline_high
    assert effect.baseline_method == "shrunk"


def test_among_many_a_single_success_may_be_luck() -> None:
    helped = judge(case(before(9, 30), sessions(0, 20, SINCE), id="helped"))
    bad = [one._replace(did=at < 6) for at, one in enumerate(sessions(0, 20, SINCE))]
    same = [judge(case(before(9, 30), bad, id=f"{at}")) for at in range(9)]
    alone, *_ = settle([helped])
    assert alone.state == "helped"
    among, *others = settle([helped, *same])
    assert (among.state, among.needed) == ("too_few", 20)
    assert among.q == pytest.approx(0.228, abs=1e-3)
    assert "many" in kinds(among)
    assert "Too few to tell: about 20 more that could." in among.sentence
    assert {other.q for other in others} == {1.0}
    # A verdict that is not there yet takes no part.
    young = judge(case(before(9, 30), sessions(0, 5, SINCE)))
    assert [one.q for one in settle([helped, young])] == [alone.q, None]


def with_version(rows: list[Watched], *versions: str) -> list[Watched]:
    """The same sessions with these versions in turn, the last one from then on."""
    known = [*versions, *versions[-1:] * len(rows)]
    return [row._replace(agent_version=name) for row, name in zip(rows, known, strict=False)]


def test_another_version_of_the_agent_around_the_moment_is_told() -> None:
    earlier = with_version(before(9, 30), *["2.1.0"] * 15, "2.1.4")
    later = with_version(sessions(1, 24, SINCE), "2.1.4", "2.1.5")
    effect = judge(case(earlier, later))
    assert [one.message for one in effect.warnings] == [
        "Claude Code itself was 2.1.4 right before and 2.1.5 right after: that may be why."
    ]
    assert kinds(effect) == {"agent_version"}


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        pytest.param(("2.1.0",), ("2.1.0",), id="the same"),
        pytest.param((*["2.1.0"] * 15, "2.1.4"), ("2.1.4",), id="long before"),
        pytest.param(("2.1.4",), (*["2.1.4"] * 12, "2.1.9"), id="long after"),
        pytest.param(("",), ("2.1.5",), id="not recorded"),
        pytest.param(("2.1.0",), ("2.1.1", "2.1.2", "2.1.3") * 4, id="always another one"),
    ],
)
def test_a_version_that_changed_at_another_time_is_not(
    earlier: tuple[str, ...], later: tuple[str, ...]
) -> None:
    effect = judge(
        case(with_version(before(9, 30), *earlier), with_version(sessions(1, 24, SINCE), *later))
    )
    assert kinds(effect) == set()
