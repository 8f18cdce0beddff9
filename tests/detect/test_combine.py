"""Candidates that a person called the same count as one."""

from __future__ import annotations

import msgspec

from helix_tui.detect.combine import combine
from helix_tui.detect.group import group
from helix_tui.schema.candidate import Candidate, Remedy, Sighting
from tests.detect.made import missing, session


def candidate_of(subject: str, *sessions: int) -> Candidate:
    seen = [Sighting(session(n), [missing(n, subject, chars=400)]) for n in sessions]
    (found,) = [one for one in group(seen, lambda _: False) if one.kind == "problem"]
    return found


def test_one_alone_is_itself() -> None:
    alone = candidate_of("jq", 1, 2, 3)
    assert combine([alone]) is alone


def test_sessions_count_once_and_occurrences_add_up() -> None:
    both = combine([candidate_of("jq", 1, 2, 3), candidate_of("yq", 3, 4)])
    assert sorted(both.members) == [f"claude:{n:04d}" for n in (1, 2, 3, 4)]
    assert both.members["claude:0003"].count == 2
    assert both.members["claude:0003"].chars == 800


def test_first_keeps_its_name_and_knows_the_others() -> None:
    kept, other, third = (candidate_of(name, 1, 2) for name in ("jq", "yq", "rg"))
    both = combine([kept, other, third])
    assert (both.id, both.title) == (kept.id, kept.title)
    assert both.aliases == sorted([other.id, third.id])
    assert both == combine([kept, third, other])


def test_every_one_is_cited() -> None:
    both = combine([candidate_of("jq", *range(1, 30)), candidate_of("yq", 40)])
    assert "claude:0040" in [cited.session for cited in both.evidence]
    assert len(both.evidence) <= 20


def test_what_overcomes_one_of_them_overcomes_all() -> None:
    problem, other = candidate_of("jq", 1, 2, 3), candidate_of("rg", 4, 5)
    cure = Remedy("cure", "", "install", "$ x", "", "$ x", 2, 1.0, None, ["a", "b"])
    both = combine([problem, msgspec.structs.replace(other, cure=cure)])
    assert both.cure == cure
