"""Verdicts outlive the store, follow new ids and new evidence, and leave what people wrote."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec
import pytest

from helix_tui.curate.catalog.check import check
from helix_tui.curate.page.page import read_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.curate.page.versions import read_history
from helix_tui.curate.page.why import why_of, why_text
from helix_tui.store.detection.candidates import unpack_candidate
from tests.conftest import Workbench
from tests.engine.reviewer import Reviewer
from tests.engine.tables import sql
from tests.engine.trouble_log import HOST, RG, YAML, ids

COMMIT, NPM = "user-correction-commit", "user-correction-npm"


@pytest.fixture
def reviewer(bench: Workbench) -> Reviewer:
    return Reviewer(bench)


class TestLostStore:
    """Truth of verdicts is the journal: the store is made anew from the logs."""

    def test_every_verdict_is_back(self, reviewer: Reviewer) -> None:
        verdicts = reviewer.bench.engine().verdicts
        reviewer.approve(RG)
        verdicts.reject(reviewer.ids[HOST], note="not ours")
        verdicts.merge(reviewer.ids[COMMIT], [reviewer.ids[NPM]])
        verdicts.approve(reviewer.ids[COMMIT], look="page")
        verdicts.discuss(reviewer.ids["tool-error"], note="what is it?")
        verdicts.snooze(reviewer.ids[YAML], "+5")
        before, files, lines = reviewer.verdicts_by_id(), reviewer.files(), reviewer.lines()
        assert {verdict for verdict, _, _ in before.values()} == {
            *("approved", "rejected", "merged", "discussed", "snoozed", "open")
        }
        reviewer.lose_the_store()
        assert reviewer.verdicts_by_id() == before
        assert reviewer.files() == files
        assert reviewer.lines() == lines
        report = reviewer.bench.engine().verdicts.approve_all()
        assert (report.promoted, report.notices) == (0, [])
        assert reviewer.files() == files

    def test_less_evidence_than_before_takes_nothing_away(self, reviewer: Reviewer) -> None:
        reviewer.approve(COMMIT)
        before = reviewer.files()
        for path in sorted((reviewer.bench.home / ".claude" / "projects").rglob("0*.jsonl"))[:3]:
            path.unlink()
        reviewer.lose_the_store()
        outcome = reviewer.approve(COMMIT)
        assert [one.action for one in outcome.patterns] == ["unchanged"]
        assert reviewer.files() == before


class TestRenamedIds:
    """A grouping of another version gives other ids; verdicts, patterns and catalog follow."""

    OLD = "rg-is-missing-00000000"

    @pytest.fixture
    def renamed(self, reviewer: Reviewer) -> Reviewer:
        """Verdicts that were given on an id which the next sweep replaces."""
        bench, new = reviewer.bench, reviewer.ids[RG]
        change_candidate(bench, new, id=self.OLD)
        verdicts = bench.engine().verdicts
        verdicts.approve(self.OLD, note="as it was called")
        verdicts.merge(self.OLD, [reviewer.ids[YAML]])
        sql(bench, "DELETE FROM note WHERE name = 'grouped'")
        bench.sweep()
        bench.engine().after_sweep()
        assert new in ids(bench)
        assert self.OLD not in ids(bench)
        return reviewer

    def test_verdict_and_pattern_are_those_of_the_new_id(self, renamed: Reviewer) -> None:
        found = renamed.standing()[renamed.ids[RG]]
        assert (found.verdict, found.review.pattern) == ("approved", self.OLD)
        assert [note.text for note in found.review.notes] == ["as it was called"]
        assert renamed.verdicts_by_id()[renamed.ids[YAML]][2] == renamed.ids[RG]

    def test_the_rename_is_noted_once(self, renamed: Reviewer) -> None:
        for _ in range(3):
            renamed.bench.engine().verdicts.preview(renamed.ids[RG])
            renamed.bench.engine().after_sweep()
        noted = [line for line in renamed.lines() if line.action == "rename"]
        assert [(line.candidate, line.others) for line in noted] == [(self.OLD, [renamed.ids[RG]])]

    def test_they_follow_where_the_store_is_lost_as_well(self, renamed: Reviewer) -> None:
        before = renamed.verdicts_by_id()
        renamed.lose_the_store()
        assert sql(renamed.bench, "SELECT * FROM regrouped") == []
        assert renamed.verdicts_by_id() == before

    def test_approving_it_again_makes_no_second_pattern(self, renamed: Reviewer) -> None:
        renamed.grow()
        outcome = renamed.approve(RG)
        assert [(one.pattern.id, one.action) for one in outcome.patterns] == [(self.OLD, "updated")]
        assert {path.stem for path in renamed.catalog.glob("*.md")} == {"INDEX", self.OLD}
        assert check(renamed.catalog) == []

    def test_rejecting_it_deprecates_the_pattern_of_the_old_id(self, renamed: Reviewer) -> None:
        renamed.bench.engine().verdicts.reject(renamed.ids[RG])
        page = read_page((renamed.catalog / f"{self.OLD}.md").read_text(), self.OLD)
        assert page.status == "deprecated"
        assert renamed.verdicts_by_id()[renamed.ids[RG]][:2] == ("rejected", "")


class TestMoreEvidence:
    """Promoting again updates evidence and nothing else, or leaves all as it is."""

    def test_is_an_update_by_a_patch_with_a_small_diff(self, reviewer: Reviewer) -> None:
        reviewer.approve(COMMIT)
        git(reviewer.catalog, "init", "-q")
        git(reviewer.catalog, "add", ".")
        git(reviewer.catalog, "commit", "-qm", "before")
        before = reviewer.page(COMMIT).read_text()
        reviewer.grow()
        (told,) = reviewer.approve(COMMIT).patterns
        assert (told.action, told.pattern.version) == ("updated", "1.0.1")
        (entry,) = read_history(reviewer.page(COMMIT).with_suffix(".history.jsonl").read_text())
        assert (entry.version, entry.replaced_by, entry.text) == ("1.0.0", "1.0.1", before)
        diff = git(reviewer.catalog, "diff", "-U0", "--", reviewer.page(COMMIT).name)
        changed = {
            line[1:].split(":")[0].strip()
            for line in diff.splitlines()
            if line[0] in "+-" and line[:3] not in ("+++", "---")
        }
        counted = {"version", "sessions", "frequency", "claude", "cost_impact", "last_seen"}
        assert {one for one in changed - counted if not one.startswith("This was said")} == set()

    def test_the_same_again_touches_no_file(self, reviewer: Reviewer) -> None:
        verdicts = reviewer.bench.engine().verdicts
        reviewer.approve(COMMIT)
        reviewer.grow()
        reviewer.approve(COMMIT)
        verdicts.approve_all()
        files, count = reviewer.files(), len(reviewer.lines())
        outcome = reviewer.approve(COMMIT)
        assert (outcome.line, [one.action for one in outcome.patterns]) == (None, ["unchanged"])
        assert verdicts.approve_all().promoted == 0
        assert reviewer.files() == files
        assert len(reviewer.lines()) == count

    def test_what_has_changed_is_asked_once_also_if_the_page_stays(
        self, reviewer: Reviewer
    ) -> None:
        """The page shows a colleague's larger counts: this machine's growth changes nothing."""
        reviewer.approve(RG)
        seen = reviewer.pattern(RG)
        reviewer.put(with_more(seen, sessions=900, frequency=2000))
        reviewer.grow(30)
        assert reviewer.standing()[reviewer.ids[RG]].is_asked
        assert [one.action for one in reviewer.approve(RG).patterns] == ["unchanged"]
        assert not reviewer.standing()[reviewer.ids[RG]].is_asked


class TestHands:
    """What people wrote into a file stays; what only a count says is counted anew."""

    def test_an_edit_is_merged_and_told(self, reviewer: Reviewer) -> None:
        reviewer.approve(COMMIT)
        path = reviewer.page(COMMIT)
        path.write_text(path.read_text().replace("## Problem\n\n", "## Problem\n\nAsk Kim. "))
        reviewer.grow()
        (told,) = reviewer.approve(COMMIT).patterns
        page = reviewer.pattern(COMMIT)
        assert told.action == "updated"
        assert page.problem.startswith("Ask Kim. ")
        assert page.evidence.sessions > 8
        assert [line.action for line in reviewer.lines()] == ["approve", "edit", "approve"]

    def test_a_conflict_is_told_and_the_file_wins(self, reviewer: Reviewer) -> None:
        reviewer.approve(COMMIT)
        path = reviewer.page(COMMIT)
        why = reviewer.pattern(COMMIT).why
        path.write_text(path.read_text().replace(why, "Because Kim says so."))
        shown = reviewer.bench.engine().verdicts.preview(reviewer.ids[COMMIT]).page
        path.write_text(path.read_text().replace("# Users say", "# Do as users say"))
        words = shown.replace("# Users say", "# Never do as users say")
        outcome = reviewer.approve(COMMIT, words=words, shown=shown)
        assert any("title was changed" in notice for notice in outcome.notices)
        assert reviewer.pattern(COMMIT).title.startswith("Do as users say")
        assert reviewer.pattern(COMMIT).why == "Because Kim says so."

    def test_a_colleagues_larger_count_is_kept(self, reviewer: Reviewer) -> None:
        reviewer.approve(COMMIT)
        seen = reviewer.pattern(COMMIT)
        theirs = with_more(seen, sessions=50, frequency=70, flavors={"claude": 50})
        reviewer.put(theirs)
        reviewer.grow()
        assert [one.action for one in reviewer.approve(COMMIT).patterns] == ["unchanged"]
        assert reviewer.pattern(COMMIT) == theirs

    def test_what_a_colleagues_helix_counted_is_counted_on(self, reviewer: Reviewer) -> None:
        """Their sentence and their status follow from their counts: nobody worded them."""
        reviewer.approve(COMMIT)
        seen = reviewer.pattern(COMMIT)
        reviewer.put(with_more(seen, frequency=seen.evidence.frequency + 1))
        reviewer.grow()
        outcome = reviewer.approve(COMMIT)
        page = reviewer.pattern(COMMIT)
        assert outcome.notices == []
        assert page.version == "1.0.2"
        assert page.why == why_of(page)

    def test_candidates_that_a_colleague_added_are_part_of_it(self, reviewer: Reviewer) -> None:
        reviewer.approve(RG)
        seen = reviewer.pattern(RG)
        names = [*seen.candidates, reviewer.ids[YAML]]
        theirs = with_more(seen, sessions=50, frequency=70)
        reviewer.put(msgspec.structs.replace(theirs, candidates=names))
        outcome = reviewer.approve(RG)
        assert reviewer.verdicts_by_id()[reviewer.ids[YAML]][:2] == ("approved", reviewer.ids[RG])
        assert [one.action for one in outcome.patterns] == ["unchanged"]
        assert reviewer.pattern(RG).candidates == names

    def test_a_status_by_hand_does_not_outlive_a_reject(self, reviewer: Reviewer) -> None:
        reviewer.approve(RG)
        path = reviewer.page(RG)
        path.write_text(path.read_text().replace("status: provisional", "status: approved"))
        reviewer.approve(RG, note="seen")
        assert reviewer.pattern(RG).status == "approved"
        reviewer.bench.engine().verdicts.reject(reviewer.ids[RG])
        assert reviewer.pattern(RG).status == "deprecated"

    def test_a_page_taken_away_comes_back_above_its_history(self, reviewer: Reviewer) -> None:
        reviewer.approve(COMMIT)
        reviewer.approve(RG)
        reviewer.grow()
        reviewer.approve(COMMIT)
        reviewer.page(COMMIT).unlink()
        report = reviewer.bench.engine().verdicts.approve_all()
        assert not reviewer.page(COMMIT).exists()
        assert reviewer.ids[COMMIT] not in [one.pattern.id for one in report.patterns]
        reviewer.approve(COMMIT)
        assert reviewer.pattern(COMMIT).version == "1.1.0"
        assert check(reviewer.catalog) == []


class TestMoves:
    """A candidate is part of one pattern: where it goes to another, the first one shows less."""

    def test_into_another_pattern(self, reviewer: Reviewer) -> None:
        reviewer.approve(RG)
        reviewer.approve(YAML)
        reviewer.approve(HOST, into=reviewer.ids[RG])
        outcome = reviewer.approve(HOST, into=reviewer.ids[YAML])
        assert {one.pattern.id for one in outcome.patterns} == {
            *(reviewer.ids[RG], reviewer.ids[YAML])
        }
        assert reviewer.pattern(RG).candidates == [reviewer.ids[RG]]
        assert reviewer.pattern(RG).evidence.sessions == 3
        assert reviewer.ids[HOST] in reviewer.pattern(YAML).candidates
        assert check(reviewer.catalog) == []

    def test_the_last_one_leaves_a_pattern_that_gives_way(self, reviewer: Reviewer) -> None:
        reviewer.approve(RG)
        reviewer.approve(YAML)
        before = reviewer.files()
        reviewer.approve(YAML, into=reviewer.ids[RG])
        page = reviewer.pattern(YAML)
        assert (page.status, page.superseded_by) == ("deprecated", reviewer.ids[RG])
        assert reviewer.pattern(RG).supersedes == [reviewer.ids[YAML]]
        assert check(reviewer.catalog) == []
        reviewer.bench.engine().verdicts.undo()
        assert {name: data for name, (data, _) in reviewer.files().items()} == {
            name: data for name, (data, _) in before.items()
        }

    def test_a_chain_of_merges_leaves_one_pattern(self, reviewer: Reviewer) -> None:
        verdicts = reviewer.bench.engine().verdicts
        for name in (RG, YAML, HOST):
            reviewer.approve(name)
        verdicts.merge(reviewer.ids[YAML], [reviewer.ids[HOST]])
        verdicts.merge(reviewer.ids[RG], [reviewer.ids[YAML]])
        assert set(reviewer.pattern(RG).candidates) == {
            reviewer.ids[name] for name in (RG, YAML, HOST)
        }
        assert [reviewer.pattern(name).status for name in (YAML, HOST)] == ["deprecated"] * 2
        assert check(reviewer.catalog) == []
        verdicts.split(reviewer.ids[YAML])
        reviewer.approve(YAML)
        assert reviewer.pattern(RG).candidates == [reviewer.ids[RG]]
        assert check(reviewer.catalog) == []


class TestJoinedIds:
    """Grouping may find that two candidates are one: the other's id lives on as an alias."""

    @pytest.fixture
    def joined(self, reviewer: Reviewer) -> Reviewer:
        reviewer.approve(YAML)
        reviewer.approve(COMMIT)
        kept, gone = reviewer.ids[RG], reviewer.ids[YAML]
        change_candidate(reviewer.bench, kept, aliases=[gone])
        sql(reviewer.bench, "DELETE FROM candidate WHERE id = ?", gone)
        found = reviewer.standing()[kept]
        assert (found.verdict, found.review.pattern) == ("approved", gone)
        return reviewer

    def test_rejecting_it_deprecates_the_pattern_of_the_alias(self, joined: Reviewer) -> None:
        joined.bench.engine().verdicts.reject(joined.ids[RG])
        assert joined.pattern(YAML).status == "deprecated"

    def test_approved_elsewhere_it_leaves_the_pattern_of_the_alias(self, joined: Reviewer) -> None:
        joined.approve(RG, into=joined.ids[COMMIT])
        page = joined.pattern(YAML)
        assert (page.status, page.superseded_by) == ("deprecated", joined.ids[COMMIT])

    def test_what_is_merged_into_it_is_part_of_the_pattern_of_the_alias(
        self, joined: Reviewer
    ) -> None:
        joined.bench.engine().verdicts.merge(joined.ids[RG], [joined.ids[HOST]])
        assert joined.verdicts_by_id()[joined.ids[HOST]] == (
            *("merged", joined.ids[YAML], joined.ids[RG]),
        )
        assert joined.ids[HOST] in joined.pattern(YAML).candidates

    def test_approving_it_again_makes_no_second_pattern(self, joined: Reviewer) -> None:
        joined.approve(RG)
        assert not joined.page(RG).exists()
        assert check(joined.catalog) == []


class TestBadPages:
    """A page that cannot be read is left as it is, named, and holds up nobody else."""

    @pytest.mark.parametrize("content", [b"no page at all\n", b"\xff\xfe"])
    def test_others_are_promoted_all_the_same(self, reviewer: Reviewer, content: bytes) -> None:
        reviewer.approve(COMMIT)
        reviewer.page(COMMIT).write_bytes(content)
        report = reviewer.bench.engine().verdicts.approve_all()
        assert any(f"{reviewer.ids[COMMIT]}.md" in notice for notice in report.notices)
        assert (reviewer.ids[COMMIT], "page") in [(one.id, one.floor) for one in report.below_floor]
        reviewer.approve(RG)
        assert reviewer.page(RG).exists()
        assert reviewer.page(COMMIT).read_bytes() == content
        assert not any(line.action == "edit" for line in reviewer.lines())

    def test_a_secret_in_a_history_is_not_taken_into_the_journal(self, reviewer: Reviewer) -> None:
        reviewer.approve(COMMIT)
        reviewer.grow()
        reviewer.approve(COMMIT)
        history = reviewer.page(COMMIT).with_suffix(".history.jsonl")
        secret = "AKIA" + "QX7RZ2LM4TN8VB3K"
        history.write_text(history.read_text().replace("## Problem", f"{secret} ## Problem"))
        outcome = reviewer.bench.engine().verdicts.discuss(reviewer.ids[RG])
        assert any("history.jsonl, line 1" in notice for notice in outcome.notices)
        journal = reviewer.bench.store / "review" / "journal.jsonl"
        assert secret not in journal.read_text()
        assert secret in history.read_text()


class TestLostJournal:
    """A file that is there counts as an approve, a deprecated one as a reject."""

    def lose(self, reviewer: Reviewer) -> None:
        (reviewer.bench.store / "review" / "journal.jsonl").unlink()

    def test_what_gave_way_stays_so(self, reviewer: Reviewer) -> None:
        reviewer.approve(RG)
        reviewer.approve(YAML)
        reviewer.approve(HOST)
        verdicts = reviewer.bench.engine().verdicts
        verdicts.approve_all()
        verdicts.merge(reviewer.ids[RG], [reviewer.ids[YAML]])
        verdicts.reject(reviewer.ids[HOST])
        self.lose(reviewer)
        files = reviewer.files()
        for _ in range(2):  # before anybody wrote, and after
            verdicts_by_id = reviewer.verdicts_by_id()
            assert verdicts_by_id[reviewer.ids[RG]][:2] == ("approved", reviewer.ids[RG])
            assert verdicts_by_id[reviewer.ids[YAML]][:2] == ("approved", reviewer.ids[RG])
            assert verdicts_by_id[reviewer.ids[HOST]][0] == "rejected"
            verdicts.approve_all()
            assert reviewer.files() == files

    def test_a_verdict_cut_off_behind_an_old_mark_is_finished(self, reviewer: Reviewer) -> None:
        """The mark of the lost journal says nothing of the lines of the new one."""
        for number in range(5):
            reviewer.approve(RG, note=f"{number}")
        self.lose(reviewer)
        mark = reviewer.bench.store / "review" / "journal.jsonl.applied"
        old = mark.read_bytes()
        before = reviewer.files()
        reviewer.approve(YAML)
        for name in reviewer.files().keys() - before.keys():
            (reviewer.catalog / name).unlink()
        mark.write_bytes(old)
        reviewer.bench.engine().verdicts.discuss(reviewer.ids[HOST])
        assert reviewer.page(YAML).exists()
        assert reviewer.verdicts_by_id()[reviewer.ids[YAML]][:2] == ("approved", reviewer.ids[YAML])


def change_candidate(bench: Workbench, name: str, **fields: object) -> None:
    """Has a store hold a candidate that another grouping would have made."""
    ((data,),) = sql(bench, "SELECT data FROM candidate WHERE id = ?", name)
    assert isinstance(data, bytes)
    made = msgspec.structs.replace(unpack_candidate(data), **fields)
    encoded = msgspec.msgpack.encode(made)
    sql(bench, "UPDATE candidate SET id = ?, data = ? WHERE id = ?", made.id, encoded, name)


def with_more(pattern: Pattern, **counts: object) -> Pattern:
    """A pattern as the Helix of somebody who has seen more writes it."""
    evidence = msgspec.structs.replace(pattern.evidence, **counts)
    why = why_text(evidence, pattern.kind, pattern.signal)
    return msgspec.structs.replace(pattern, evidence=evidence, why=why, version="1.0.1")


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=ann", "-c", "user.email=ann@example.com", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
