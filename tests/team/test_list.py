"""One list for a team: what it shows, verdicts from everywhere, and what is nobody's to change."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from helix_tui.cli.commands.detect_json import candidates_json
from helix_tui.curate.journal.journal import Journal
from helix_tui.engine.team import grouping
from helix_tui.engine.team.assigning import assign
from helix_tui.errors import NotFoundError, StoreError
from helix_tui.schema import SessionFilter
from helix_tui.schema.candidate import CandidateFilter
from tests.engine.trouble_log import RG, YAML
from tests.team.machines import Reviewer, two_reviewers
from tests.team.postgresql import TeamStore
from tests.team.pushed import push_rows, revised, rows_of

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")


@pytest.fixture
def both(team_store: TeamStore, tmp_path: Path) -> tuple[Reviewer, Reviewer]:
    return two_reviewers(team_store, tmp_path)


def whole_ids(here: Reviewer) -> set[str]:
    """The sessions that lie on a machine."""
    return {one.id for one in here.sweep().sessions(SessionFilter())}


def approve(here: Reviewer, name: str, note: str = "") -> None:
    here.team.verdicts.approve(name, note=note, guidance="Install it first.", look="page")


def test_a_row_says_what_is_ones_own(both: tuple[Reviewer, Reviewer]) -> None:
    ann, bob = both
    for here, other in ((ann, bob), (bob, ann)):
        row = here.listed(RG).brief
        assert row.team is not None
        assert 0 < row.team.own < row.team.all == row.sessions
        assert (row.team.machines, row.team.people) == (2, 2)
        assert set(row.team.by) == {here.member.role, other.member.role}
        detection = here.team.candidates.detect(CandidateFilter())
        (found,) = [one for one in candidates_json(detection) if one["id"] == row.id]
        assert found["team"] == json.loads(json.dumps(row.team._asdict()))


def test_evidence_of_others_is_excerpts_where_they_share_them(
    team_store: TeamStore, tmp_path: Path
) -> None:
    ann, bob = two_reviewers(team_store, tmp_path, share="numbers")
    whole = ann.team.candidates.whole(ann.listed(RG).brief.id)
    said = ann.team.candidates.excerpts(whole)
    assert {uid.rpartition(".")[2] for uid, _ in said} == {ann.origin}
    cited = {one.session.rpartition(".")[2] for one in whole.evidence}
    assert cited == {ann.origin, bob.origin}
    mine, theirs = (
        next(uid for uid in whole.members if uid.endswith(one.origin)) for one in (ann, bob)
    )
    assert ann.team.session(mine).id in whole_ids(ann)
    with pytest.raises(NotFoundError, match="another machine, of bob"):
        ann.team.session(theirs)


def test_the_later_verdict_stands_and_both_are_shown(both: tuple[Reviewer, Reviewer]) -> None:
    ann, bob = both
    approve(ann, RG)
    bob.team.verdicts.reject(RG, note="everybody has it by now")
    ann.sync()
    bob.sync()
    ann.sync()
    for here in both:
        review = here.listed(RG).review
        assert (review.verdict, review.author) == ("rejected", bob.member.role)
        assert [one.verdict for one in review.against] == ["approved"]
        assert [note.author for note in review.notes][-1] == bob.member.role


def test_a_verdict_given_offline_comes_later_and_stands(both: tuple[Reviewer, Reviewer]) -> None:
    ann, bob = both
    approve(bob, RG)
    ann.team.verdicts.reject(RG)
    ann.sync()
    # Bob was offline meanwhile: his line is older, and the team heard of it later.
    bob.sync()
    ann.sync()
    for here in both:
        review = here.listed(RG).review
        assert (review.verdict, [one.verdict for one in review.against]) == (
            "approved",
            ["rejected"],
        )
    lines = Journal(bob.config.curate.review_log).lines().lines
    assert [line.action for line in lines] == ["reject", "approve"]
    assert bob.sync().held == []
    assert Journal(bob.config.curate.review_log).lines().lines == lines


def test_what_others_approve_has_its_page(both: tuple[Reviewer, Reviewer]) -> None:
    ann, bob = both
    approve(ann, YAML)
    ann.sync()
    assert not list(bob.catalog.glob("*.md"))
    bob.sync()
    name = bob.listed(YAML).review.pattern
    pages = [one.catalog / f"{name}.md" for one in both]
    assert pages[0].read_text() == pages[1].read_text()
    # Whoever approved it takes it back: it goes everywhere.
    ann.team.verdicts.undo()
    ann.sync()
    bob.sync()
    assert not pages[0].exists()
    assert not pages[1].exists()
    assert bob.listed(YAML).verdict == "open"


def test_nobody_takes_back_anothers_verdict_by_chance(both: tuple[Reviewer, Reviewer]) -> None:
    ann, bob = both
    approve(ann, YAML)
    ann.sync()
    bob.sync()
    assert bob.team.verdicts.undo() is None
    (theirs,) = bob.team.verdicts.undoable(5)
    bob.team.verdicts.undo(theirs.id)
    bob.sync()
    ann.sync()
    assert ann.listed(YAML).verdict == bob.listed(YAML).verdict == "open"


def test_a_thread_has_authors_and_somebody_is_asked(both: tuple[Reviewer, Reviewer]) -> None:
    ann, bob = both
    ann.team.verdicts.discuss(RG, note="is this the image of the CI?")
    assign(ann.team, RG, bob.member.role)
    ann.sync()
    bob.sync()
    bob.team.verdicts.discuss(RG, note="yes")
    bob.sync()
    ann.sync()
    review = ann.listed(RG).review
    assert review.assigned == bob.member.role
    assert [note.text for note in review.notes] == ["is this the image of the CI?", "yes"]
    assert review.notes[1].author == bob.member.role


def test_without_the_server_everything_goes_on(both: tuple[Reviewer, Reviewer]) -> None:
    ann, _ = both
    approve(ann, RG)
    assert ann.listed(RG).verdict == "approved"
    assert ann.team.candidates.detect(CandidateFilter()).ranked


def test_verdicts_of_ones_own_list_stay_at_home(both: tuple[Reviewer, Reviewer]) -> None:
    ann, bob = both
    ann.sweep().verdicts.reject(RG)
    ann.sync()
    bob.sync()
    assert bob.listed(RG).verdict == "open"


def test_the_hub_hears_of_a_verdict_once(both: tuple[Reviewer, Reviewer]) -> None:
    from helix_tui.curate.hub.decisions import decisions_of

    ann, bob = both
    approve(ann, RG)
    ann.sync()
    bob.sync()
    lines = [Journal(one.config.curate.review_log).lines().lines for one in both]
    assert [len(decisions_of(one)) for one in lines] == [1, 0]


def test_what_is_forgotten_is_in_no_candidate(both: tuple[Reviewer, Reviewer]) -> None:
    ann, bob = both
    with bob.member.signed_in() as opened:
        opened.rows(
            "INSERT INTO helix.tombstone (kind, origin, target) VALUES ('origin', %s, '')",
            (bob.origin,),
        )
    with bob.member.signed_in() as opened:
        push_rows(opened, [revised(row, 10**15) for row in rows_of(bob.store, bob.origin)])
    ann.sync()
    team = ann.listed(RG).brief.team
    assert team is not None
    assert (team.own, team.machines) == (team.all, 1)
    stored = b"".join(
        (ann.store / "team" / "list" / name).read_bytes()
        for name in ("store.db", "store.db-wal")
        if (ann.store / "team" / "list" / name).exists()
    )
    uids = {
        one.session
        for each in ann.team.candidates.detect(CandidateFilter(is_all=True)).ranked
        for one in each.candidate.evidence
    }
    assert stored
    assert not any(uid.endswith(bob.origin) for uid in uids)


def test_candidates_are_written_by_keepers_alone(both: tuple[Reviewer, Reviewer]) -> None:
    ann, bob = both
    for statement in (
        "UPDATE helix.candidate SET sessions = 99",
        "INSERT INTO helix.candidate (id, bucket, sessions, n) VALUES ('x', 1, 1, 1)",
        "DELETE FROM helix.candidate",
        "DELETE FROM helix.changed",
        "UPDATE helix.population SET sessions = 0",
        "DELETE FROM helix.held",
        "INSERT INTO helix.large_bucket VALUES (1, '')",
        "UPDATE helix.verdict SET line = '{}'",
        "DELETE FROM helix.verdict",
        "INSERT INTO helix.verdict (line_id, origin, owner, at, line) "
        f"VALUES ('f', '{bob.origin}', '{ann.member.role}', '', '-')",
        "INSERT INTO helix.verdict (line_id, origin, at, line) "
        f"VALUES ('g', '{ann.origin}', '', '-')",
    ):
        with pytest.raises(StoreError), bob.member.signed_in() as opened:
            opened.rows(statement)


def test_a_project_reads_no_list(team_store: TeamStore, both: tuple[Reviewer, Reviewer]) -> None:
    project = team_store.member("ci", "ci")
    for table in ("candidate", "held", "large_bucket"):
        with pytest.raises(StoreError), project.signed_in() as opened:
            opened.rows(f"SELECT * FROM helix.{table}")
    with project.signed_in() as opened:
        assert opened.rows("SELECT * FROM helix.verdict") == []


class TestTwoKeepers:
    """Nobody waits and nothing is lost."""

    def test_who_finds_another_at_it_goes_away(self, both: tuple[Reviewer, Reviewer]) -> None:
        ann, bob = both
        rows = rows_of(bob.store, bob.origin)
        changed = [
            json.dumps({**json.loads(row), "events": 99, "hash": f"{at}"})
            for at, row in enumerate(rows)
        ]
        with bob.member.signed_in() as opened:
            push_rows(opened, [revised(row, 10**15) for row in changed])
        with ann.member.signed_in() as other:
            other.rows("SELECT pg_advisory_lock(%s, %s)", grouping._LOCK)
            assert ann.group() is None
        done = ann.group()
        assert done is not None
        assert done.waiting == 0
        assert ann.group() == grouping.Grouped(0, 0, 0, 0)

    def test_what_comes_meanwhile_stays_marked(
        self, both: tuple[Reviewer, Reviewer], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ann, bob = both
        rows = rows_of(bob.store, bob.origin)
        pushed: list[int] = []

        def slow(*arguments: object) -> object:
            if not pushed:
                pushed.append(1)
                gone = [json.dumps({**json.loads(row), "signals": {}, "hash": "x"}) for row in rows]
                with bob.member.signed_in() as opened:
                    push_rows(opened, [revised(row, 10**15) for row in gone])
            return counted(*arguments)  # type: ignore[arg-type]

        counted = grouping.put_off
        monkeypatch.setattr(grouping, "put_off", slow)
        with ann.member.signed_in() as opened:
            opened.rows("INSERT INTO helix.waiting VALUES (%s, 0)", (1,))
        ann.group()
        assert pushed
        ann.sync()
        team = ann.listed(RG).brief.team
        assert team is not None
        assert team.machines == 1


def test_big_buckets_wait_for_a_keeper_with_time(
    both: tuple[Reviewer, Reviewer], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = both
    before = [one.brief for one in ann.team.candidates.listing().listed]
    with ann.member.signed_in() as opened:
        opened.rows(
            "INSERT INTO helix.big_bucket SELECT bucket, 6000 FROM helix.candidate GROUP BY 1"
        )
        opened.rows("UPDATE helix.big_bucket SET sightings = 6000")
    rows = rows_of(bob.store, bob.origin)
    gone = [json.dumps({**json.loads(row), "signals": {}, "hash": "x"}) for row in rows]
    with bob.member.signed_in() as opened:
        push_rows(opened, [revised(row, 10**15) for row in gone])
    done = ann.group(is_hurried=True)
    assert done is not None
    assert done.waiting > 0
    with ann.member.signed_in() as opened:
        from helix_tui.engine.team.pulling import pull_list
        from helix_tui.team.asking import PostgresAsker

        pull_list(ann.config, PostgresAsker(opened))
    assert ann.listed(RG).brief in before
    assert ann.group(is_hurried=False)
    ann.sync()
    assert ann.listed(RG).brief not in before
