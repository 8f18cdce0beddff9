"""What a person wrote into a file stays, what is counted is ours, and what clashes is told."""

from __future__ import annotations

import os

from hypothesis import given, settings
from msgspec.structs import replace

from helix_tui.curate.page.pattern import Excerpt, Hint, Pattern
from helix_tui.curate.page.threeway import Conflict, merge
from tests.curate.made_patterns import any_pattern, made_evidence, made_pattern

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "15"))
BASE = made_pattern()


def excerpt(fingerprint: str, text: str = "x") -> Excerpt:
    """An excerpt of one session."""
    return Excerpt(session="claude:1", fingerprint=fingerprint, text=text)


def test_each_side_keeps_what_only_it_changed() -> None:
    theirs = replace(BASE, title="By hand", guidance="By hand")
    ours = replace(BASE, status="deprecated", why="More", evidence=made_evidence(sessions=20))
    merged = merge(BASE, theirs, ours)
    assert merged.pattern == replace(ours, title="By hand", guidance="By hand")
    assert merged.conflicts == []


def test_where_both_changed_a_field_the_person_wins_and_is_told() -> None:
    theirs = replace(BASE, title="By hand", error_class="by-hand", status="deprecated")
    ours = replace(BASE, title="Ours", error_class="ours", status="provisional")
    merged = merge(BASE, theirs, ours)
    assert merged.pattern == theirs
    assert merged.conflicts == [
        Conflict("status", "deprecated", "provisional"),
        Conflict("class", "by-hand", "ours"),
        Conflict("title", "By hand", "Ours"),
    ]


def test_the_same_change_on_both_sides_is_no_conflict() -> None:
    same = replace(BASE, title="The same", rendering={"grok": Hint(wording="The same")})
    assert merge(BASE, same, same) == (same, [])


def test_counts_and_provenance_are_ours_and_the_later_version_stands() -> None:
    theirs = replace(
        BASE,
        evidence=made_evidence(sessions=99),
        provenance=replace(BASE.provenance, author="Forged"),
        candidates=["other"],
        version="2.0.0",
    )
    ours = replace(BASE, evidence=made_evidence(sessions=20), version="1.0.1")
    assert merge(BASE, theirs, ours) == (replace(ours, version="2.0.0"), [])
    assert merge(BASE, BASE, ours).pattern.version == "1.0.1"


def test_hints_are_merged_field_by_field() -> None:
    base = replace(BASE, rendering={"claude": Hint(wording="Old"), "codex": Hint(target="x")})
    theirs = replace(base, rendering={"claude": Hint(wording="By hand", scope=["a/**"])})
    ours = replace(
        base,
        rendering={"claude": Hint(wording="Ours", target="t"), "codex": Hint(target="x")},
    )
    merged = merge(base, theirs, ours)
    assert merged.pattern.rendering == {
        "claude": Hint(wording="By hand", scope=["a/**"], target="t")
    }
    assert merged.conflicts == [Conflict("rendering.claude.wording", "By hand", "Ours")]


def test_unknown_sections_and_fields_are_merged_each_for_itself() -> None:
    base = replace(BASE, sections={"A": "1", "B": "1"}, extra={"x": {"y": 1, "z": 1}})
    theirs = replace(base, sections={"A": "2", "New": "n"}, extra={"x": {"y": 2, "z": 1}})
    ours = replace(base, sections={"A": "1", "B": "3"}, extra={"x": {"y": 1, "z": 3}, "w": 1})
    merged = merge(base, theirs, ours)
    assert merged.pattern.sections == {"A": "2", "New": "n"}
    assert merged.pattern.extra == {"x": {"y": 2, "z": 3}, "w": 1}
    assert merged.conflicts == [Conflict("sections.B", None, "3")]


def test_an_excerpt_taken_out_by_hand_does_not_come_back() -> None:
    base = replace(BASE, excerpts=[excerpt("a"), excerpt("b")])
    theirs = replace(base, excerpts=[excerpt("b", "cut")])
    ours = replace(base, excerpts=[excerpt("c"), excerpt("a"), excerpt("b")])
    merged = merge(base, theirs, ours)
    assert merged.pattern.excerpts == [excerpt("c"), excerpt("b", "cut")]
    assert merged.conflicts == []


def test_ids_that_either_added_or_took_out_are_followed() -> None:
    base = replace(BASE, related=["a", "b"])
    theirs = replace(base, related=["b", "mine"])
    ours = replace(base, related=["a", "b", "new"])
    assert merge(base, theirs, ours).pattern.related == ["b", "mine", "new"]
    assert merge(base, theirs, replace(base, related=["a"])).pattern.related == ["mine"]


def test_without_a_base_the_file_is_only_filled_in() -> None:
    theirs = replace(BASE, title="By hand", why="", excerpts=[], does_not_apply="By hand")
    merged = merge(None, theirs, BASE)
    assert merged.pattern == replace(BASE, title="By hand", does_not_apply="By hand")
    assert merged.conflicts == [Conflict("title", "By hand", BASE.title)]


@settings(max_examples=EXAMPLES, deadline=None)
@given(one=any_pattern(), other=any_pattern())
def test_a_side_that_changed_nothing_never_conflicts(one: Pattern, other: Pattern) -> None:
    unique = {(e.session, e.fingerprint): e for e in other.excerpts}
    other = replace(other, excerpts=list(unique.values()))
    by_hand = merge(one, other, one)
    counted = {name: getattr(one, name) for name in ("id", "candidates", "evidence", "provenance")}
    later = by_hand.pattern.version
    assert by_hand == (replace(other, **counted, version=later), [])
    by_us = merge(one, one, other)
    assert by_us == (replace(other, version=by_us.pattern.version), [])


def test_excerpts_stand_in_the_order_of_who_changed_it() -> None:
    base = made_pattern()
    (known,) = base.excerpts
    new = replace(known, fingerprint="00aa")
    reordered = replace(base, excerpts=[new, known])
    assert merge(base, reordered, base).pattern.excerpts == [new, known]
    assert merge(base, base, reordered).pattern.excerpts == [new, known]
