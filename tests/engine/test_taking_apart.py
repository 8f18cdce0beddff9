"""A page shows what its candidates are by the journal: who is let go or rejected leaves it."""

from __future__ import annotations

import pytest

from helix_tui.curate.catalog.check import check
from tests.conftest import Workbench
from tests.engine.reviewer import Reviewer
from tests.engine.trouble_log import HOST, RG, YAML


@pytest.fixture
def reviewer(bench: Workbench) -> Reviewer:
    return Reviewer(bench)


@pytest.fixture
def apart(reviewer: Reviewer) -> Reviewer:
    """A pattern of two merged candidates, of which the second is let go again."""
    verdicts = reviewer.bench.engine().verdicts
    verdicts.merge(reviewer.ids[RG], [reviewer.ids[YAML]])
    reviewer.approve(RG)
    assert reviewer.pattern(RG).candidates == [reviewer.ids[RG], reviewer.ids[YAML]]
    verdicts.split(reviewer.ids[YAML])
    return reviewer


class TestSplit:
    """What is let go counts for itself again, in the list, in its pages and with all that comes."""

    def test_its_evidence_leaves_the_page(self, apart: Reviewer) -> None:
        alone = apart.standing()[apart.ids[RG]].ranked
        page = apart.pattern(RG)
        assert page.candidates == [apart.ids[RG]]
        assert page.evidence.sessions == len(alone.candidate.members)
        assert page.evidence.frequency == alone.frequency
        assert page.version == "1.0.1"
        assert check(apart.catalog) == []

    def test_a_batch_does_not_put_it_back(self, apart: Reviewer) -> None:
        apart.grow()
        apart.bench.engine().verdicts.approve(apart.ids[YAML])
        apart.bench.engine().verdicts.approve_all()
        assert apart.pattern(RG).candidates == [apart.ids[RG]]
        assert apart.pattern(YAML).candidates == [apart.ids[YAML]]

    def test_the_one_that_is_kept_has_not_changed_by_that(self, apart: Reviewer) -> None:
        found = apart.standing()[apart.ids[RG]]
        snapshot = found.review.snapshot
        assert snapshot is not None
        assert snapshot.sessions == len(found.ranked.candidate.members)
        assert not found.is_asked

    def test_undoing_it_restores_the_page_to_the_byte(self, reviewer: Reviewer) -> None:
        verdicts = reviewer.bench.engine().verdicts
        verdicts.merge(reviewer.ids[RG], [reviewer.ids[YAML]])
        reviewer.approve(RG)
        before = {path.name: path.read_bytes() for path in reviewer.catalog.iterdir()}
        verdicts.split(reviewer.ids[RG])
        verdicts.undo()
        assert {path.name: path.read_bytes() for path in reviewer.catalog.iterdir()} == before

    def test_undoing_a_merge_keeps_what_somebody_wrote_into_its_pages(
        self, reviewer: Reviewer
    ) -> None:
        verdicts = reviewer.bench.engine().verdicts
        reviewer.approve(RG)
        verdicts.approve(reviewer.ids[YAML], is_new=True)
        before = {name: reviewer.pattern(name) for name in (RG, YAML)}
        verdicts.merge(reviewer.ids[RG], [reviewer.ids[YAML]])
        for name in (RG, YAML):
            path = reviewer.catalog / f"{reviewer.ids[name]}.md"
            path.write_text(path.read_text().replace("## Problem\n\n", "## Problem\n\nBy hand. "))
        verdicts.undo()
        for name in (RG, YAML):
            page = reviewer.pattern(name)
            assert page.problem == f"By hand. {before[name].problem}"
            assert page.candidates == [reviewer.ids[name]]
            assert (page.status, page.superseded_by) == (before[name].status, "")
            assert page.evidence == before[name].evidence
        assert check(reviewer.catalog) == []

    def test_its_own_pattern_is_taught_again(self, reviewer: Reviewer) -> None:
        verdicts = reviewer.bench.engine().verdicts
        reviewer.approve(RG)
        verdicts.approve(reviewer.ids[YAML], is_new=True)
        before = reviewer.pattern(YAML)
        verdicts.merge(reviewer.ids[RG], [reviewer.ids[YAML]])
        assert reviewer.pattern(YAML).superseded_by == reviewer.ids[RG]
        outcome = verdicts.split(reviewer.ids[YAML])
        after = reviewer.pattern(YAML)
        assert (after.status, after.superseded_by) == (before.status, "")
        assert after.evidence == before.evidence
        assert reviewer.pattern(RG).candidates == [reviewer.ids[RG]]
        assert reviewer.pattern(RG).supersedes == []
        assert {one.pattern.id: one.action for one in outcome.patterns} == {
            reviewer.ids[RG]: "updated",
            reviewer.ids[YAML]: "updated",
        }
        assert check(reviewer.catalog) == []

    def test_a_part_by_its_own_verdict_stays(self, reviewer: Reviewer) -> None:
        verdicts = reviewer.bench.engine().verdicts
        reviewer.approve(RG)
        reviewer.approve(YAML, into=reviewer.ids[RG])
        verdicts.merge(reviewer.ids[RG], [reviewer.ids[YAML]])
        before = reviewer.page(RG).read_bytes()
        assert verdicts.split(reviewer.ids[YAML]).patterns == []
        assert reviewer.page(RG).read_bytes() == before

    def test_what_is_merged_below_one_that_stays_is_shown_on(self, reviewer: Reviewer) -> None:
        verdicts, names = reviewer.bench.engine().verdicts, reviewer.ids
        verdicts.merge(names[RG], [names[HOST]])
        reviewer.approve(RG)
        reviewer.approve(YAML, into=names[RG])
        verdicts.approve(names[YAML], is_new=True)
        assert reviewer.pattern(RG).candidates == [names[RG], names[HOST]]


class TestMergedAgain:
    """What goes on into another candidate leaves the page of the one that it was part of."""

    def test_its_own_pattern_is_taught_again_where_the_other_has_none(
        self, reviewer: Reviewer
    ) -> None:
        verdicts, names = reviewer.bench.engine().verdicts, reviewer.ids
        reviewer.approve(RG)
        reviewer.approve(YAML)
        verdicts.merge(names[RG], [names[YAML]])
        assert reviewer.pattern(RG).candidates == [names[RG], names[YAML]]
        before = {path.name: path.read_bytes() for path in reviewer.catalog.iterdir()}
        verdicts.merge(names[HOST], [names[YAML]])
        assert reviewer.pattern(RG).candidates == [names[RG]]
        assert reviewer.pattern(YAML).candidates == [names[YAML]]
        assert reviewer.pattern(YAML).status != "deprecated"
        assert check(reviewer.catalog) == []
        verdicts.undo()
        assert {path.name: path.read_bytes() for path in reviewer.catalog.iterdir()} == before


class TestReject:
    """What is not worth teaching is no evidence for what is."""

    def test_its_evidence_leaves_a_page_that_others_are_part_of(self, reviewer: Reviewer) -> None:
        reviewer.approve(RG)
        reviewer.approve(YAML, into=reviewer.ids[RG])
        outcome = reviewer.bench.engine().verdicts.reject(reviewer.ids[YAML])
        page, alone = reviewer.pattern(RG), reviewer.standing()[reviewer.ids[RG]].ranked
        assert page.candidates == [reviewer.ids[RG]]
        assert page.evidence.frequency == alone.frequency
        assert page.status != "deprecated"
        assert [(one.pattern.id, one.action) for one in outcome.patterns] == [
            (reviewer.ids[RG], "updated")
        ]

    def test_what_counts_as_it_is_no_longer_taught_either(self, reviewer: Reviewer) -> None:
        verdicts = reviewer.bench.engine().verdicts
        reviewer.approve(YAML)
        verdicts.merge(reviewer.ids[RG], [reviewer.ids[YAML]])
        assert reviewer.pattern(YAML).status != "deprecated"
        outcome = verdicts.reject(reviewer.ids[RG])
        assert reviewer.pattern(YAML).status == "deprecated"
        assert [one.pattern.id for one in outcome.patterns] == [reviewer.ids[YAML]]

    def test_what_is_merged_into_it_is_no_longer_taught(self, reviewer: Reviewer) -> None:
        verdicts = reviewer.bench.engine().verdicts
        reviewer.approve(YAML)
        before = reviewer.page(YAML).read_bytes()
        verdicts.reject(reviewer.ids[RG])
        verdicts.merge(reviewer.ids[RG], [reviewer.ids[YAML]])
        assert reviewer.pattern(YAML).status == "deprecated"
        verdicts.undo()
        assert reviewer.page(YAML).read_bytes() == before
