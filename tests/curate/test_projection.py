"""The catalog's files follow from the journal, and only what a person changed is an edit."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from helix_tui.curate.journal.projection import (
    Differences,
    Projection,
    compare,
    mark_of,
    project,
    version_of,
)
from helix_tui.schema.review import JournalLine, PatternFiles, Write
from tests.curate.lines import Script


def page(version: str, words: str = "") -> str:
    return f"---\nid: p\nversion: {version}\nkind: problem\n---\n# Title\nversion: 9\n{words}\n"


@pytest.fixture
def script() -> Script:
    return Script()


def compared(script: Script, applied: int, found: dict[str, PatternFiles]) -> Differences:
    """How files differ from what the lines of a script make."""
    return compare(Projection(script.lines), applied, found)


def approve(script: Script, version: str, words: str = "", name: str = "p") -> JournalLine:
    writes = [Write(name, page(version, words))]
    return script.say("approve", name, pattern=name, writes=writes)


def edit(script: Script, text: str | None, history: str | None = None) -> JournalLine:
    return script.say("edit", "p", writes=[Write("p", text, history)])


def adopt(script: Script, text: str, history: str | None = None) -> JournalLine:
    return script.say("edit", "p", "p", pattern="p", writes=[Write("p", text, history)])


def versions(history: str) -> list[tuple[str, str]]:
    return [
        (said["version"], said["replaced_by"]) for said in map(json.loads, history.splitlines())
    ]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (page("1.2.3"), "1.2.3"),
        (page('"1.2.3"'), "1.2.3"),
        (page("'1.0.0'").replace("\n", "\r\n"), "1.0.0"),
        ("---\nid: p\n---\nversion: 2.0.0\n", ""),
        ("no front matter\nversion: 2.0.0\n", ""),
        ("", ""),
    ],
)
def test_the_version_is_that_of_the_front_matter(text: str, version: str) -> None:
    assert version_of(text) == version


class TestProject:
    """Text and history are what the lines that remain wrote."""

    def test_a_version_that_is_replaced_goes_to_the_history(self, script: Script) -> None:
        approve(script, "1.0.0")
        approve(script, "1.0.1")
        last = approve(script, "1.1.0")
        files = project(script.lines)["p"]
        assert files.text == page("1.1.0")
        assert versions(files.history) == [("1.0.0", "1.0.1"), ("1.0.1", "1.1.0")]
        said = json.loads(files.history.splitlines()[-1])
        assert (said["text"], said["at"], said["author"]) == (page("1.0.1"), last.at, "ann")

    def test_the_same_version_again_leaves_no_history(self, script: Script) -> None:
        approve(script, "1.0.0")
        approve(script, "1.0.0", "other words")
        assert project(script.lines) == {"p": PatternFiles(page("1.0.0", "other words"), "")}

    def test_undoing_an_update_restores_page_and_history(self, script: Script) -> None:
        approve(script, "1.0.0")
        approve(script, "1.0.1")
        before = project(script.lines)
        script.undo(approve(script, "1.1.0"))
        assert project(script.lines) == before

    def test_undoing_one_in_the_middle_is_as_if_it_had_never_been(self, script: Script) -> None:
        approve(script, "1.0.0")
        middle = approve(script, "1.0.1")
        approve(script, "1.1.0")
        script.undo(middle)
        assert versions(project(script.lines)["p"].history) == [("1.0.0", "1.1.0")]

    def test_undoing_what_made_it_takes_it_away_with_later_hand_edits(self, script: Script) -> None:
        made = approve(script, "1.0.0")
        edit(script, page("1.0.0", "mine"))
        script.undo(made)
        assert project(script.lines) == {}

    def test_hand_edits_stay_where_the_pattern_lives(self, script: Script) -> None:
        made = approve(script, "1.0.0")
        edit(script, page("1.0.1", "mine"))
        approve(script, "1.1.0", "mine and more")
        script.undo(made)
        files = project(script.lines)["p"]
        assert files.text == page("1.1.0", "mine and more")
        assert versions(files.history) == [("1.0.1", "1.1.0")]

    def test_an_adopted_file_outlives_every_undo(self, script: Script) -> None:
        adopt(script, page("2.0.0"), '{"version": "1.0.0"}\n')
        before = project(script.lines)
        script.undo(approve(script, "2.0.1"))
        assert project(script.lines) == before
        assert before == {"p": PatternFiles(page("2.0.0"), '{"version": "1.0.0"}\n')}

    def test_a_file_adopted_after_an_undo_begins_anew(self, script: Script) -> None:
        made = approve(script, "1.0.0")
        edit(script, page("1.0.0", "mine"), "old history\n")
        script.undo(made)
        adopt(script, page("3.0.0"))
        assert project(script.lines) == {"p": PatternFiles(page("3.0.0"), "")}

    def test_a_page_that_is_taken_away_leaves_its_history(self, script: Script) -> None:
        approve(script, "1.0.0")
        approve(script, "1.0.1")
        history = project(script.lines)["p"].history
        rejected = script.say("reject", "p", writes=[Write("p", None)])
        assert project(script.lines) == {"p": PatternFiles(None, history)}
        script.undo(rejected)
        assert project(script.lines)["p"].text == page("1.0.1")

    def test_one_line_may_write_several_patterns(self, script: Script) -> None:
        merged = script.say(
            "merge", "p", "q", writes=[Write("p", page("1.0.0")), Write("q", page("1.0.0"))]
        )
        assert set(project(script.lines)) == {"p", "q"}
        script.undo(merged)
        assert project(script.lines) == {}


class TestCompare:
    """A file that is not as it should be was cut off, or is a person's."""

    def test_nothing_differs(self, script: Script) -> None:
        approve(script, "1.0.0")
        assert compared(script, 0, project(script.lines)) == (set(), {}, set())

    def test_a_write_that_was_cut_off_is_unfinished(self, script: Script) -> None:
        approve(script, "1.0.0", name="q")
        approve(script, "1.0.0")
        before = project(script.lines)
        approve(script, "1.0.1")
        approve(script, "1.0.2")
        now = project(script.lines)
        between = PatternFiles(before["p"].text, now["p"].history)
        for found in (before, {**before, "p": between}):
            assert compared(script, 2, found).unfinished == {"p"}
            assert compared(script, 3, {**before, "p": between}).edited == {"p": between}

    def test_a_first_page_that_was_not_written_yet_is_unfinished(self, script: Script) -> None:
        approve(script, "1.0.0", name="q")
        found = project(script.lines)
        approve(script, "1.0.0")
        assert compared(script, 1, found) == ({"p"}, {}, set())
        assert compared(script, 2, found) == (set(), {}, {"p"})

    def test_a_page_that_an_undo_did_not_take_away_yet_is_unfinished(self, script: Script) -> None:
        approve(script, "1.0.0", name="q")
        made = approve(script, "1.0.0")
        found = project(script.lines)
        script.undo(made)
        assert compared(script, 2, found) == ({"p"}, {}, set())
        assert compared(script, 3, found).edited == {"p": found["p"]}

    def test_a_page_that_comes_back_after_it_was_taken_away_is_unfinished(
        self, script: Script
    ) -> None:
        approve(script, "1.0.0", name="q")
        approve(script, "1.0.0")
        approve(script, "1.0.1")
        script.say("reject", "p", writes=[Write("p", None)])
        without_history = {"q": project(script.lines)["q"]}
        assert compared(script, 4, without_history) == (set(), {}, set())
        approve(script, "1.0.2")
        assert compared(script, 4, without_history).unfinished == {"p"}

    def test_what_no_line_wrote_is_a_persons(self, script: Script) -> None:
        approve(script, "1.0.0")
        approve(script, "1.0.0", name="q")
        mine = PatternFiles(page("1.0.0", "mine"), "")
        found = {**project(script.lines), "p": mine, "new": mine}
        assert compared(script, 0, found) == (
            set(),
            {"p": mine, "new": mine},
            set(),
        )

    def test_a_history_that_was_changed_is_an_edit(self, script: Script) -> None:
        approve(script, "1.0.0")
        changed = PatternFiles(page("1.0.0"), "what?\n")
        assert compared(script, 0, {"p": changed}).edited == {"p": changed}

    def test_a_history_without_a_page_is_nobodys_business(self, script: Script) -> None:
        assert compare(Projection([]), 0, {"p": PatternFiles(None, "what?\n")}) == (
            set(),
            {},
            set(),
        )

    def test_a_page_that_is_gone_was_removed_unless_all_are_gone(self, script: Script) -> None:
        approve(script, "1.0.0")
        approve(script, "1.0.0", name="q")
        now = project(script.lines)
        assert compared(script, 2, {"q": now["q"]}) == (set(), {}, {"p"})
        assert compared(script, 2, {}) == ({"p", "q"}, {}, set())

    def test_an_edit_that_was_noted_differs_no_more(self, script: Script) -> None:
        approve(script, "1.0.0")
        mine = PatternFiles(page("1.0.0", "mine"), "own\n")
        edit(script, mine.text, mine.history)
        assert compared(script, 1, {"p": mine}) == (set(), {}, set())


class TestMergedJournals:
    """Two clones decide, git merges their journals alone: the catalog follows in both."""

    @pytest.mark.parametrize("ours_first", [True, False])
    def test_pages_of_the_other_clone_are_written(self, ours_first: bool) -> None:
        common, ours, theirs = Script(), Script(), Script()
        approve(common, "1.0.0", name="both")
        for clone, name in ((ours, "x"), (theirs, "y")):
            clone.lines += common.lines
            approve(clone, "1.0.0", name=name)
            clone.lines[-1] = replace(clone.lines[-1], id=f"of {name}")
        approve(theirs, "1.1.0", name="both")
        x, of_theirs = ours.lines[1:], theirs.lines[1:]
        merged = [*common.lines, *(x + of_theirs if ours_first else of_theirs + x)]
        found = project(ours.lines)
        marks = {name: mark_of(files) for name, files in found.items()}
        at = merged.index(x[0]) + 1
        assert compare(Projection(merged), at, found, marks) == ({"both", "y"}, {}, set())
        # What somebody took away or changed here is still told from it.
        mine = PatternFiles(page("1.0.0", "mine"), "")
        assert compare(Projection(merged), at, {"x": found["x"]}, marks) == ({"y"}, {}, {"both"})
        assert compare(Projection(merged), at, {**found, "x": mine}, marks).edited == {"x": mine}
