"""What was decided last holds, follows new ids, and is asked again only for a reason."""

from __future__ import annotations

from datetime import date

import pytest

from helix_tui.curate.journal.snooze import parse_until
from helix_tui.curate.journal.standings import (
    ReviewState,
    has_changed,
    is_asked,
    is_rejected_changed,
    last_undoable,
    owners_of,
    snapshot_of,
    standing,
    undoable,
)
from helix_tui.detect.rank import Population, rank
from helix_tui.errors import UsageError
from helix_tui.schema.review import Review, Snapshot, Until
from tests.curate.lines import Script, candidate, snapshot

TODAY = date(2026, 3, 1)


@pytest.fixture
def script() -> Script:
    return Script()


def review(script: Script, name: str, *aliases: str) -> Review:
    return ReviewState(script.lines).review_of(candidate(name, *aliases))


class TestVerdicts:
    """The last verdict that was not taken back is how a candidate stands."""

    def test_nobody_said_anything(self, script: Script) -> None:
        assert review(script, "a") == Review()

    def test_the_last_one_holds(self, script: Script) -> None:
        script.say("reject", "a", seen=snapshot(3))
        said = script.say("approve", "a", seen=snapshot(5), pattern="a")
        found = review(script, "a")
        assert (found.verdict, found.at, found.author) == ("approved", said.at, "ann")
        assert found.snapshot == snapshot(5)
        assert found.pattern == "a"

    def test_discussing_opens_it_again_and_leaves_the_pattern(self, script: Script) -> None:
        script.say("approve", "a", pattern="a")
        script.say("discuss", "a", note="too broad?")
        found = review(script, "a")
        assert (found.verdict, found.pattern) == ("discussed", "a")
        assert is_asked(found, snapshot(), TODAY)

    def test_evidence_that_went_to_another_pattern_says_so(self, script: Script) -> None:
        script.say("approve", "a", pattern="b")
        assert review(script, "a").pattern == "b"

    def test_a_rejected_one_is_part_of_no_pattern(self, script: Script) -> None:
        script.say("approve", "a", pattern="a")
        script.say("reject", "a")
        assert review(script, "a").pattern == ""

    def test_an_adopted_file_counts_as_an_approve_of_those_it_names(self, script: Script) -> None:
        script.say("edit", "a", "a", "b", pattern="a")
        script.say("edit", "c", "d")
        assert [review(script, name).verdict for name in "abcd"] == [
            "approved",
            "approved",
            "open",
            "open",
        ]
        assert review(script, "b").pattern == "a"

    def test_a_thread_keeps_every_note_that_was_not_taken_back(self, script: Script) -> None:
        script.say("discuss", "a", note="one")
        taken_back = script.say("discuss", "a", note="two")
        script.say("approve", "a", note="three")
        script.undo(taken_back)
        assert [note.text for note in review(script, "a").notes] == ["one", "three"]


class TestUndo:
    """Any verdict can be taken back, and only a verdict."""

    def test_the_verdict_before_holds_again(self, script: Script) -> None:
        script.say("discuss", "a", note="hm")
        script.undo(script.say("approve", "a", pattern="a"))
        found = review(script, "a")
        assert (found.verdict, found.pattern) == ("discussed", "")

    def test_an_earlier_line_can_be_taken_back(self, script: Script) -> None:
        rejected = script.say("reject", "a")
        script.say("approve", "b")
        script.undo(rejected)
        script.undo(rejected)
        assert review(script, "a").verdict == "open"
        assert review(script, "b").verdict == "approved"

    def test_edits_undos_and_lines_to_come_cannot(self, script: Script) -> None:
        script.say("undo", undoes="l6")
        undone = script.say("approve", "a")
        undo = script.undo(undone)
        script.undo(undo)
        script.undo(script.say("edit", "b", "b", pattern="b"))
        assert script.say("reject", "c").id == "l7"
        assert review(script, "a").verdict == "open"
        assert review(script, "b").verdict == "approved"
        assert last_undoable(script.lines) == script.lines[-1]

    def test_what_can_be_taken_back_is_listed_from_the_end(self, script: Script) -> None:
        assert last_undoable(script.lines) is None
        first, second, third = (script.say("approve", name) for name in "abc")
        script.undo(second)
        script.say("edit", "d")
        assert undoable(script.lines, 9) == [third, first]
        assert undoable(script.lines, 1) == [third]
        assert undoable(script.lines, 0) == []


class TestIds:
    """Verdicts follow a candidate through all ids that it has had."""

    def test_the_latest_among_aliases_and_renamed_ids_holds(self, script: Script) -> None:
        script.say("approve", "new", note="1")
        script.say("reject", "alias", note="2")
        script.say("discuss", "oldest", note="3")
        script.say("rename", "oldest", "old")
        script.say("rename", "old", "new")
        found = review(script, "new", "alias")
        assert found.verdict == "discussed"
        assert [note.text for note in found.notes] == ["1", "2", "3"]

    def test_that_an_id_was_replaced_can_be_taken_back(self, script: Script) -> None:
        script.say("reject", "old")
        renamed = script.say("rename", "old", "new")
        assert review(script, "new").verdict == "rejected"
        assert last_undoable(script.lines) == script.lines[0]
        script.undo(renamed)
        assert review(script, "new").verdict == "open"
        assert review(script, "old").verdict == "rejected"

    def test_an_id_that_is_given_again_is_no_old_one(self, script: Script) -> None:
        script.say("rename", "a", "b")
        script.say("rename", "b", "a")
        script.say("approve", "b")
        assert review(script, "a").verdict == "approved"

    def test_merges_follow_new_ids_and_aliases(self, script: Script) -> None:
        script.say("merge", "old-b", "old-a")
        script.say("rename", "old-a", "a")
        script.say("rename", "old-b", "b")
        assert review(script, "a").merged_into == "b"
        assert review(script, "b").merged == ["a"]
        script.say("merge", "part-of-c", "b")
        both = [candidate("a"), candidate("b"), candidate("c", "part-of-c")]
        found = ReviewState(script.lines).reviews(both)
        assert {name: one.merged_into for name, one in found.items()} == {
            "a": "c",
            "b": "c",
            "c": "",
        }
        assert found["c"].merged == ["a", "b"]

    def test_an_old_id_that_is_a_candidate_again_is_its_own(self, script: Script) -> None:
        script.say("rename", "a", "b")
        script.say("approve", "a")
        found = ReviewState(script.lines).reviews([candidate("a"), candidate("b", "a")])
        assert {name: one.verdict for name, one in found.items()} == {"a": "approved", "b": "open"}

    def test_a_later_verdict_on_the_whole_beats_a_merge_of_a_part(self, script: Script) -> None:
        script.say("merge", "b", "part-of-a")
        assert review(script, "a", "part-of-a").verdict == "merged"
        script.say("approve", "a", pattern="a")
        assert review(script, "a", "part-of-a").verdict == "approved"

    def test_an_id_is_its_own_before_it_is_an_alias(self) -> None:
        assert owners_of([candidate("a", "b", "c"), candidate("b")]) == {
            "a": "a",
            "b": "b",
            "c": "a",
        }


class TestMerge:
    """Merged candidates count as one until somebody splits them."""

    def test_chains_are_followed_to_their_end(self, script: Script) -> None:
        script.say("merge", "b", "a")
        script.say("approve", "c", pattern="c")
        merged = script.say("merge", "c", "b", note="the same")
        found = review(script, "a")
        assert (found.verdict, found.merged_into, found.pattern) == ("merged", "c", "c")
        assert review(script, "b").at == merged.at
        assert review(script, "c").merged == ["a", "b"]
        assert review(script, "c").verdict == "approved"
        assert [note.text for note in review(script, "b").notes] == ["the same"]
        assert not is_asked(found, snapshot(99), TODAY)

    def test_merging_renews_the_evidence_of_the_verdict_that_holds(self, script: Script) -> None:
        script.say("approve", "a", seen=snapshot(4), pattern="a")
        script.say("merge", "a", "b", seen=snapshot(9))
        assert not is_asked(review(script, "a"), snapshot(9), TODAY)

    def test_the_verdict_before_holds_again_after_a_split(self, script: Script) -> None:
        script.say("reject", "a")
        script.say("merge", "b", "a")
        script.say("split", "a")
        assert review(script, "a").verdict == "rejected"
        assert review(script, "b").merged == []

    def test_who_decides_on_a_merged_one_takes_it_out(self, script: Script) -> None:
        script.say("merge", "b", "a")
        rejected = script.say("reject", "a")
        assert review(script, "a").verdict == "rejected"
        assert review(script, "b").merged == []
        script.undo(rejected)
        assert review(script, "a").merged_into == "b"

    def test_splitting_a_target_lets_go_all_that_were_merged_directly(self, script: Script) -> None:
        script.say("merge", "b", "a")
        script.say("merge", "c", "b", "d")
        assert ReviewState(script.lines).let_go(candidate("c")) == ("c", ["b", "d"])
        script.say("split", "c", "b", "d")
        found = ReviewState(script.lines).reviews([candidate(name) for name in "abcd"])
        assert {name: one.merged_into for name, one in found.items()} == {
            "a": "b",
            "b": "",
            "c": "",
            "d": "",
        }

    def test_splitting_one_in_the_middle_takes_it_out_with_its_own(self, script: Script) -> None:
        script.say("merge", "b", "a")
        script.say("merge", "c", "b")
        assert ReviewState(script.lines).let_go(candidate("b")) == ("c", ["b"])
        script.say("split", "b")
        assert review(script, "a").merged_into == "b"
        assert review(script, "c").merged == []

    def test_no_cycle_can_be_made(self, script: Script) -> None:
        a, b, c = (candidate(name) for name in "abc")
        script.say("merge", "b", "a")
        script.say("merge", "c", "b")
        state = ReviewState(script.lines)
        assert state.merge_refusal(a, [c]) == "a is merged into c; split it first."
        assert state.merge_refusal(a, [a]) == "a cannot be merged into itself."
        assert state.merge_refusal(c, [b]) == "b is merged into c already."
        assert state.merge_refusal(c, []) == "Nothing was named that is to be merged into c."
        assert state.merge_refusal(c, [a]) is None
        script.say("merge", "a", "c")
        assert review(script, "a").merged_into == "c"
        assert review(script, "c").merged_into == ""

    def test_a_cycle_that_an_undo_would_make_is_left_open(self, script: Script) -> None:
        script.say("merge", "b", "a")
        split = script.say("split", "a")
        script.say("merge", "a", "b")
        script.undo(split)
        assert review(script, "a").merged_into == "b"
        assert review(script, "b").merged_into == ""


class TestChange:
    """A verdict is asked again when the evidence became another."""

    @pytest.mark.parametrize(
        ("now", "reason"),
        [
            (snapshot(4), ""),
            (snapshot(5), ""),
            (snapshot(6), "6 sessions, 4 when it was decided"),
            (snapshot(4, "claude", "codex"), "also seen with codex"),
            (snapshot(4, state="regressed"), "it came back"),
            (snapshot(4, state="escalating"), ""),
        ],
    )
    def test_reasons(self, now: Snapshot, reason: str) -> None:
        assert has_changed(snapshot(4), now) == reason

    def test_growth_of_little_or_of_what_regressed_before_is_none(self) -> None:
        assert has_changed(snapshot(1), snapshot(2)) == ""
        assert has_changed(snapshot(10), snapshot(14)) == ""
        assert has_changed(snapshot(4, state="regressed"), snapshot(4, state="regressed")) == ""
        assert has_changed(None, snapshot(99)) == ""

    def test_an_approved_one_is_asked_again_and_a_rejected_one_listed_apart(
        self, script: Script
    ) -> None:
        script.say("approve", "a", seen=snapshot(4))
        script.say("reject", "b", seen=snapshot(4))
        approved, rejected = review(script, "a"), review(script, "b")
        assert not is_asked(approved, snapshot(4), TODAY)
        assert is_asked(approved, snapshot(8), TODAY)
        assert not is_asked(rejected, snapshot(8), TODAY)
        assert is_rejected_changed(rejected, snapshot(8))
        assert not is_rejected_changed(rejected, snapshot(4))
        assert not is_rejected_changed(approved, snapshot(8))

    def test_the_snapshot_is_what_the_list_shows(self) -> None:
        (ranked,) = rank([candidate("a", sessions=3)], Population({"claude": 9}, {}, 9, 0))
        taken = snapshot_of(ranked)
        assert (taken.sessions, taken.frequency, taken.flavors, taken.repos) == (
            3,
            3,
            ["claude"],
            1,
        )
        assert taken.first_seen is None


class TestSnooze:
    """What was put off comes back when what it waits for is there."""

    @pytest.mark.parametrize(
        ("until", "now", "today", "expected"),
        [
            (Until(date="2026-03-08"), snapshot(4), date(2026, 3, 7), "snoozed"),
            (Until(date="2026-03-08"), snapshot(4), date(2026, 3, 8), "open"),
            (Until(sessions=6), snapshot(5), TODAY, "snoozed"),
            (Until(sessions=6), snapshot(6), TODAY, "open"),
            (Until(flavor=True), snapshot(9), TODAY, "snoozed"),
            (Until(flavor=True), snapshot(4, "claude", "grok"), TODAY, "open"),
        ],
    )
    def test_wakes(
        self, script: Script, until: Until, now: Snapshot, today: date, expected: str
    ) -> None:
        script.say("approve", "a")
        script.say("snooze", "a", until=until, seen=snapshot(4))
        found = review(script, "a")
        assert standing(found, now, today) == expected
        assert is_asked(found, now, today) == (expected == "open")

    def test_a_discussed_one_wakes_as_such(self, script: Script) -> None:
        script.say("discuss", "a")
        script.say("snooze", "a", until=Until(date="2026-03-02"), seen=snapshot(4))
        script.say("snooze", "a", until=Until(date="2026-03-03"), seen=snapshot(4))
        assert standing(review(script, "a"), snapshot(4), date(2026, 3, 3)) == "discussed"

    @pytest.mark.parametrize(
        ("text", "until"),
        [
            ("2026-12-01", Until(date="2026-12-01")),
            ("+7d", Until(date="2026-03-08")),
            ("2w", Until(date="2026-03-15")),
            ("12", Until(sessions=12)),
            (" +3 ", Until(sessions=7)),
            ("Flavor", Until(flavor=True)),
        ],
    )
    def test_understands(self, text: str, until: Until) -> None:
        assert parse_until(text, snapshot(4), TODAY) == until

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("2026-02-28", "2026-02-28 is in the past"),
            ("2026-03-01", "2026-03-01 is today"),
            ("0d", "today"),
            ("2026-13-01", "There is no day 2026-13-01"),
            ("4", "in 4 sessions already"),
            ("+0", "in 4 sessions already"),
            ("20261201", "never be in 20261201 sessions"),
            ("999999w", "too long"),
            ("tomorrow", "not clear"),
            ("-3", "not clear"),
            ("", "not clear"),
            ("٣", "not clear"),
        ],
    )
    def test_refuses_what_makes_no_sense_or_is_there_already(self, text: str, reason: str) -> None:
        with pytest.raises(UsageError, match=reason) as refused:
            parse_until(text, snapshot(4), TODAY)
        assert "2026-12-01" in refused.value.todo
