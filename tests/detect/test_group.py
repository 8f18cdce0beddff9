"""Signals of a bucket become candidates, whatever order they come in."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_tui.detect.group import group
from helix_tui.detect.keys import candidate_id
from helix_tui.schema.candidate import Candidate, Counted, Sighting
from helix_tui.schema.signal import Signal
from tests.detect.made import NOW, missing, said, session, sightings, signal


def always(_: Counted) -> bool:
    return True


def grouped(*some: Sighting) -> list[Candidate]:
    return group(some, always)


def only(found: list[Candidate]) -> Candidate:
    (one,) = found
    return one


class TestErrors:
    """By class and subject where they are known, else by joined templates."""

    def test_a_class_groups_whatever_was_said(self) -> None:
        found = only(grouped(*sightings(missing(1), missing(2, text="zsh: not found: jq"))))
        assert (found.kind, found.signal) == ("problem", "env_missing")
        assert (found.error_class, found.subject) == ("command_not_found", "jq")
        assert found.title == "`jq` is not installed in app"
        assert found.members.keys() == {"claude:0001", "claude:0002"}

    def test_flavors_meet_on_the_structured_key(self) -> None:
        some = [
            Sighting(session(1, flavor="claude"), [missing(1)]),
            Sighting(session(2, flavor="codex"), [missing(2, text="execution error")]),
        ]
        found = only(grouped(*some))
        assert {member.flavor for member in found.members.values()} == {"claude", "codex"}

    def test_templates_that_differ_in_a_value_are_joined(self) -> None:
        names = ("alpha-1", "beta-2", "gamma-3")
        some = sightings(*(error(n, f"unknown target {name} in graph") for n, name in en(names)))
        found = only(grouped(*some))
        assert len(found.members) == 3
        assert len(found.templates) == 3

    def test_a_joined_template_that_says_nothing_keeps_its_members_apart(self) -> None:
        some = sightings(
            *(error(n, f"KeyError: {name}_1 x_2 y_3") for n, name in en(("one", "two", "three")))
        )
        assert len(grouped(*some)) == 3

    def test_the_id_is_that_of_the_template_met_first(self) -> None:
        first = error(1, "unknown target alpha-1 in graph")
        alone = only(grouped(*sightings(first)))
        # `a` sorts before all; it comes later, so it takes over nothing.
        later = [error(n, f"unknown target {name} in graph") for n, name in ((5, "a-9"), (6, "b"))]
        joined = only(grouped(*sightings(first, *later)))
        assert joined.id == alone.id

    def test_ids_of_its_parts_are_aliases(self) -> None:
        some = [error(n, f"unknown target {name}-{n} in graph") for n, name in en(("a", "b", "c"))]
        joined = only(grouped(*sightings(*some)))
        alone = {only(grouped(*sightings(one))).id for one in some}
        assert alone == {joined.id, *joined.aliases}
        assert candidate_id("tool_error", "", "shell", some[1].template) in joined.aliases

    def test_repeated_is_told_beside_and_counted_once(self) -> None:
        repeated = signal("repeated_error", 1, error_class="command_not_found", subject="jq")
        found = only(grouped(Sighting(session(), [missing(1, count=3), repeated])))
        assert found.signals == {"env_missing": 1, "repeated_error": 1}
        assert found.members["claude:0001"].count == 3

    def test_a_silent_rule_of_the_harness_forms_nothing(self) -> None:
        assert grouped(*sightings(signal("permission_policy"))) == []

    @pytest.mark.parametrize("name", ["first_pass", "kept_work"])
    def test_what_went_well_stays_a_figure(self, name: Any) -> None:
        assert grouped(*sightings(signal(name, subject="pytest"))) == []


class TestRecoveries:
    """What overcame a problem is part of it, where most overcame it in the same way."""

    def cured(self, *verbs: str) -> list[Candidate]:
        known: dict[str, Any] = {"error_class": "command_not_found", "subject": "jq"}
        some = [
            Sighting(
                session(n),
                [missing(n), signal("recovery", n, verb=verb, text=f"$ {verb} jq", **known)],
            )
            for n, verb in en(verbs)
        ]
        return grouped(*some)

    def test_problem_and_cure_are_one_candidate(self) -> None:
        problem = only(self.cured("install", "install", "install"))
        assert problem.kind == "problem"
        assert problem.cure is not None
        assert (problem.cure.verb, problem.cure.ran) == ("install", "$ install jq")
        assert (problem.cure.members, problem.cure.of) == ([*problem.members], 3)
        assert problem.cure.id in problem.aliases
        assert "recovery" not in problem.signals
        assert problem.tier == "fix"

    def test_what_worked_once_is_no_remedy(self) -> None:
        assert only(self.cured("install")).cure is None

    def test_what_less_than_half_did_is_no_remedy(self) -> None:
        found = self.cured("a", "a", "b", "c", "d")
        assert {len(one.members) for one in found if one.cure is None} == {3}

    def test_half_of_those_who_got_past_it_are_enough(self) -> None:
        cure = only(self.cured("install", "install", "use rg", "use ag")).cure
        assert cure is not None
        assert (cure.sessions, cure.of, cure.share) == (2, 4, 0.5)
        assert cure.ways == {"install": 2, "use ag": 1, "use rg": 1}


class TestCopies:
    """A resumed or forked session holds another's events; they count where they came first."""

    def test_a_copy_counts_once(self) -> None:
        some = [Sighting(session(n), [missing(7)]) for n in (3, 1, 2)]
        found = only(grouped(*some))
        assert list(found.members) == ["claude:0001"]

    def test_what_a_copy_adds_is_its_own(self) -> None:
        one = missing(1, fingerprints=[1, 2], count=2)
        two = missing(1, fingerprints=[1, 2, 3], count=3)
        found = only(grouped(Sighting(session(1), [one]), Sighting(session(2), [two])))
        assert {name: member.count for name, member in found.members.items()} == {
            "claude:0001": 2,
            "claude:0002": 1,
        }

    def test_the_same_event_may_count_for_two_things(self) -> None:
        recovery = signal("recovery", 1, error_class="command_not_found", subject="jq", verb="x")
        found = grouped(Sighting(session(), [missing(1), recovery]))
        assert only(found).aliases != []


class TestCounting:
    """The unit is the session; a child counts as its root."""

    def test_what_the_gate_drops_does_not_count(self) -> None:
        some = [
            Sighting(session(1), [missing(1)]),
            Sighting(session(2, gate="no_repo"), [missing(2)]),
        ]
        assert list(only(grouped(*some)).members) == ["claude:0001"]

    def test_children_are_their_root(self) -> None:
        some = [Sighting(session(n, root="claude:0001"), [missing(n)]) for n in (1, 2, 3)]
        found = only(grouped(*some))
        assert list(found.members) == ["claude:0001"]
        assert found.members["claude:0001"].count == 3
        assert {cited.session for cited in found.evidence} == {
            "claude:0001",
            "claude:0002",
            "claude:0003",
        }

    def test_a_signal_is_told_by_the_sessions_that_have_it(self) -> None:
        failed = [signal("api_error", n, error_class="service_overloaded") for n in (1, 2, 3)]
        child = session(2, root="claude:0001")
        found = only(grouped(Sighting(session(1), failed[:2]), Sighting(child, failed[2:])))
        assert found.signals == {"api_error": 1}
        assert found.members["claude:0001"].count == 3

    def test_what_goes_on_elsewhere_is_not_abandoned(self) -> None:
        some = sightings(*(signal("abandoned", n, subject="error") for n in (1, 2, 3)))
        assert group(some, lambda _: False) == []
        assert len(only(group(some, lambda one: one.key != 2)).members) == 2


class TestEvidence:
    """At most twenty, each as different from the others as there is one."""

    def test_at_most_twenty(self) -> None:
        found = only(grouped(*sightings(*(missing(n) for n in range(60)))))
        assert len(found.evidence) == 20
        assert len({cited.session for cited in found.evidence}) == 20

    def test_what_is_rare_is_among_it(self) -> None:
        some = [Sighting(session(n), [missing(n)]) for n in range(1, 60)]
        some.append(Sighting(session(99, flavor="grok", repo="other"), [missing(99)]))
        found = only(grouped(*some))
        assert "grok:0099" in [cited.session for cited in found.evidence[:2]]

    def test_it_is_the_same_for_any_order(self) -> None:
        some = [
            Sighting(session(n, repo=f"r{n % 5}", first_ts=NOW), [missing(n)]) for n in range(300)
        ]
        expected = only(grouped(*some)).evidence
        random.Random(1).shuffle(some)
        assert only(grouped(*some)).evidence == expected


class TestTitles:
    """A title is one line of bounded length."""

    def test_it_is_bounded(self) -> None:
        found = only(grouped(*sightings(error(1, "word " * 100))))
        assert len(found.title) <= 140

    @pytest.mark.parametrize(
        "name",
        [
            "edit_test_fix",
            "false_claim",
            "interruption",
            "compaction",
            "retry_loop",
            "abandoned",
        ],
    )
    def test_every_moment_has_one(self, name: Any) -> None:
        found = only(grouped(*sightings(signal(name, tool_class="", subject="pytest"))))
        assert found.title
        assert "{" not in found.title


def error(number: int, template: str) -> Signal:
    return signal("tool_error", number, template=template, text=template)


def en(words: Any) -> Any:
    return enumerate(words, 1)


_TEMPLATES = st.sampled_from(
    [f"unknown target {name} in graph" for name in ("alpha-1", "beta-2", "gamma-3", "word", "x")]
    + ["KeyError: <path> y_3", "KeyError: z_1 y_3", "cannot open <path> of app"]
)
_WORDS = st.sampled_from(
    [
        "don't commit",
        "stop adding comments",
        "no, use the table",
        "wrong table",
        "not that table",
        "why a commit?",
        "no",
    ]
)


def _of_errors(number: int) -> st.SearchStrategy[list[Signal]]:
    one = st.builds(
        lambda template, at, prints: signal(
            "tool_error", at, template=template, fingerprints=prints, first_ts=NOW + at
        ),
        _TEMPLATES,
        st.integers(0, 3),
        st.lists(st.integers(0, 12), min_size=1, max_size=3),
    )
    return st.lists(one, min_size=1, max_size=3)


def _of_words(number: int) -> st.SearchStrategy[list[Signal]]:
    one = st.builds(
        lambda text, at, is_plain: said(100 * number + at, text, is_plain=is_plain),
        _WORDS,
        st.integers(0, 9),
        st.booleans(),
    )
    return st.lists(one, min_size=1, max_size=3)


def _sighted(of: Any) -> st.SearchStrategy[list[Sighting]]:
    def sighting(number: int) -> st.SearchStrategy[Sighting]:
        where = st.tuples(st.sampled_from(["claude", "codex"]), st.sampled_from("ab"))
        return st.builds(
            lambda place, signals, at: Sighting(
                session(number, flavor=place[0], repo=place[1], first_ts=NOW + at), signals
            ),
            where,
            of(number),
            st.integers(0, 2),
        )

    return st.integers(1, 8).flatmap(
        lambda count: st.tuples(*(sighting(n) for n in range(1, count + 1))).map(list)
    )


@settings(deadline=None, max_examples=50)
@given(
    st.one_of(_sighted(_of_errors), _sighted(_of_words)),
    st.randoms(use_true_random=False),
)
def test_grouping_does_not_depend_on_order(some: list[Sighting], shuffler: random.Random) -> None:
    expected = msgspec.msgpack.encode(group(some, always))
    shuffled = list(some)
    shuffler.shuffle(shuffled)
    assert msgspec.msgpack.encode(group(shuffled, always)) == expected


@settings(deadline=None, max_examples=40)
@given(_sighted(_of_errors))
def test_no_session_is_counted_twice_and_none_is_lost(some: list[Sighting]) -> None:
    found = group(some, always)
    assert len({one.id for one in found}) == len(found)
    known = {one.session.root for one in some}
    for one in found:
        assert one.members.keys() <= known
        assert all(member.count >= 1 for member in one.members.values())
        assert len(one.evidence) <= 20
