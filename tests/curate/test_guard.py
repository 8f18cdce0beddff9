"""The bloat guard names the patterns that say the same, and keeps different things apart."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from helix_tui.curate.draft.advice import advice_table
from helix_tui.curate.draft.draft import draft
from helix_tui.curate.draft.lookalikes import Lookalikes, Resemblance, resembles
from helix_tui.curate.page.pattern import GuidanceSource, Pattern
from helix_tui.schema.candidate import Candidate
from tests.curate.candidates import candidate, cure, ranked

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "25"))
ALIKE = 90


def drafted(one: Candidate) -> Pattern:
    return draft(
        ranked(one), {}, author="kim", at="2026-05-31", detail="counts", is_reviewed=False
    ).pattern


def missing(program: str, name: str = "") -> Candidate:
    return candidate(
        name or f"command-not-found-{program}-00000000",
        error_class="command_not_found",
        subject=program,
    )


def said(name: str, guidance: str, source: GuidanceSource = "person") -> Pattern:
    """A pattern of no class whose guidance somebody worded."""
    one = drafted(candidate(name, signal="user_correction", subject="", title="user on x: “y”"))
    return replace(one, guidance=guidance, provenance=replace(one.provenance, guidance=source))


def found(one: Candidate, *patterns: Pattern, merged: tuple[str, ...] = ()) -> list[Resemblance]:
    return resembles(drafted(one), one, patterns, ALIKE, merged)


def alike(one: str, other: str) -> bool:
    """Whether two guidances that people worded count as near."""
    first = candidate("one", signal="user_correction")
    return bool(resembles(said("one", one), first, [said("two", other)], ALIKE))


class TestSame:
    def test_a_pattern_of_that_id(self) -> None:
        one = missing("rg")
        assert found(one, drafted(one)) == [
            (one.id, "same", "it was made of this candidate", False)
        ]

    def test_a_pattern_that_holds_its_evidence(self) -> None:
        one = missing("rg")
        other = replace(drafted(missing("ripgrep")), candidates=["x", one.id])
        assert [(each.kind, each.pattern_id) for each in found(one, other)] == [("same", other.id)]

    def test_a_pattern_of_an_earlier_id_or_of_one_that_was_merged_into_it(self) -> None:
        one = candidate("tool-error-new", title="shell: it broke", aliases=["tool-error-old"])
        old, part = drafted(candidate("tool-error-old")), drafted(candidate("tool-error-part"))
        kinds = [(each.pattern_id, each.kind) for each in found(one, part, old, merged=(part.id,))]
        assert kinds == [("tool-error-old", "same"), ("tool-error-part", "same")]


class TestNear:
    def test_the_same_class_and_subject_under_another_id(self) -> None:
        near = found(missing("rg", "a"), drafted(missing("rg", "b")))
        assert near == [("b", "near", "it is about the same: command_not_found rg", False)]

    def test_another_subject_or_kind_is_another_thing(self) -> None:
        cure = replace(drafted(missing("rg", "b")), kind="success")
        assert found(missing("rg", "a"), drafted(missing("jq")), cure) == []

    def test_a_class_that_only_tells_the_kind_makes_nothing_near(self) -> None:
        one = candidate("a", error_class="test_failure", title="shell: test failure: FAIL: TestA")
        other = candidate("b", error_class="test_failure", title="shell: test failure: FAIL: TestB")
        assert found(one, drafted(other)) == []

    def test_a_class_without_a_subject_makes_nothing_near(self) -> None:
        one, other = (
            candidate(name, error_class="file_not_found", title=f"shell: {name} does not exist")
            for name in ("a", "b")
        )
        assert found(one, drafted(other)) == []

    def test_our_own_advice_is_alike_by_design(self) -> None:
        one, other = candidate("a", signal="first_pass"), candidate("b", signal="first_pass")
        assert drafted(one).guidance == drafted(other).guidance
        assert found(one, drafted(other)) == []

    def test_a_word_changed_in_the_advice_for_one_program_is_not_about_another(self) -> None:
        rg = drafted(missing("rg"))
        edited = replace(
            rg,
            guidance=rg.guidance.replace("Ask once", "Ask one time"),
            provenance=replace(rg.provenance, guidance="person"),
        )
        assert found(missing("jq"), edited) == []

    def test_our_lines_between_those_of_others_do_not_count(self) -> None:
        lead = "- Look up how the user and the repository's instructions want it, before you act.\n"
        lead += "- Users said of it:\n"
        assert not alike(f"{lead}- “use the ledger”", f"{lead}- “no blue buttons”")
        assert alike(f"{lead}- “use the ledger”", f"{lead}- “Use the ledger!”")

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Use pnpm, never npm.", "Never use npm; use pnpm."),
            ("- Run the tests before the commit.", "Before the commit, run the tests."),
        ],
    )
    def test_the_same_words_in_another_order_are_near(self, one: str, other: str) -> None:
        assert alike(one, other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Run `make check` before you commit.", "Run `make lint` before you commit."),
            ("Use pnpm.", "Use pnpm for install and scripts, and keep its lock file in step."),
            ("Use `grep` instead of `rg`.", "Use `python` instead of `jq`."),
        ],
    )
    def test_another_thing_in_like_words_is_not(self, one: str, other: str) -> None:
        assert not alike(one, other)

    def test_advice_is_held_against_what_a_person_wrote(self) -> None:
        one = replace(missing("rg"), cure=cure("use grep", "$ grep -rn x", 3))
        copied = said("by-hand", drafted(one).guidance)
        near = found(one, copied)
        assert [(each.pattern_id, each.kind) for each in near] == [("by-hand", "near")]
        assert near[0].reason == "its guidance is alike (100 of 100)"


class TestCovered:
    def test_a_pattern_that_names_it(self) -> None:
        one = candidate("old")
        instead = replace(drafted(candidate("new")), supersedes=["old"])
        beside = replace(drafted(candidate("beside")), related=["old"])
        assert found(one, instead, beside) == [
            ("beside", "covered", "it names it as related", False),
            ("new", "covered", "it supersedes it", False),
        ]


def test_the_best_stands_first_and_each_pattern_once() -> None:
    one = missing("rg", "a")
    same = drafted(one)
    near = drafted(missing("rg", "b"))
    covered = replace(drafted(candidate("beside")), related=["a"])
    order = [(each.pattern_id, each.kind) for each in found(one, covered, near, same)]
    assert order == [("a", "same"), ("b", "near"), ("beside", "covered")]


def test_what_is_deprecated_is_named_as_such_and_behind_what_is_not() -> None:
    old = replace(drafted(missing("rg", "b")), status="deprecated")
    near = found(missing("rg", "a"), old, drafted(missing("rg", "c")))
    assert [each.pattern_id for each in near] == ["c", "b"]
    assert near[1].is_deprecated
    assert near[1].reason.endswith("; it is deprecated")


@given(st.lists(st.sampled_from("abcdef"), unique=True), st.randoms(use_true_random=False))
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_order_of_the_catalog_does_not_matter(names: list[str], chance: random.Random) -> None:
    patterns = [drafted(missing("rg", name)) for name in names]
    mixed = list(patterns)
    chance.shuffle(mixed)
    assert found(missing("rg", "a"), *patterns) == found(missing("rg", "a"), *mixed)


WORDS = sorted(
    {
        word
        for advice in advice_table().error_class.values()
        for line in advice.guidance
        for word in line.split()
        if word.isalpha()
    }
)


def many(count: int) -> list[Pattern]:
    """Patterns that people worded, each about something else, some words common to many."""
    made = []
    for number in range(count):
        chance = random.Random(number)
        lines = [" ".join(chance.sample(WORDS, 12)) for _ in range(4)]
        made.append(said(f"p{number}", "\n".join(f"- Ask before you {line}." for line in lines)))
    return made


def test_a_draft_is_held_against_five_hundred_patterns_at_once() -> None:
    patterns = many(500)
    one = candidate("one", signal="user_correction")
    words = said("one", patterns[77].guidance.replace("Ask", "Ask me"))
    assert [each.pattern_id for each in resembles(words, one, patterns, ALIKE)] == ["p77"]


def test_a_list_of_drafts_is_not_compared_to_every_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    import rapidfuzz.fuzz

    compared = 0
    ratio = rapidfuzz.fuzz.ratio

    def counted(one: str, other: str, *, score_cutoff: float) -> float:
        nonlocal compared
        compared += 1
        return ratio(one, other, score_cutoff=score_cutoff)

    monkeypatch.setattr(rapidfuzz.fuzz, "ratio", counted)
    lookalikes = Lookalikes(many(500), ALIKE)
    one = candidate("one", signal="user_correction")
    for words in many(200):
        assert lookalikes.resembles(replace(words, id="one", candidates=["one"]), one)
    assert compared < 2 * 200
