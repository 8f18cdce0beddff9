"""What became of files beside edits: what git says of commits, what was deleted or put in."""

from __future__ import annotations

import json

import msgspec

from helix_tui.engine.memory.put_in import put_in
from helix_tui.engine.memory.skills_loaded import without_skills
from helix_tui.engine.memory.tree_changes import TreeChanges
from helix_tui.memory.distill.committed import commits_by_turn, committed_in
from helix_tui.memory.distill.context import context
from helix_tui.memory.distill.files_changed import files_changed
from helix_tui.schema import Facts, FileTally, Moment
from helix_tui.schema.digest import RunFact
from helix_tui.schema.memory import CommitMade, Exchange, Piece

COMMITTED = """\
[main 4e4af59] rows: draw them as bitmaps
 4 files changed, 20 insertions(+), 9 deletions(-)
 create mode 100644 media/row.png
 delete mode 100644 media/row.svg
 rename {old => new}/rows.md (100%)
"""


def piece(**more: object) -> Piece:
    made = Piece(*("s", "claude", "s", "app", "main", "/work", 1, 2, True, [], Facts(), []))
    return msgspec.structs.replace(made, **more)


def test_git_tells_of_its_commits() -> None:
    tree = TreeChanges()
    tree.result("1", COMMITTED, has_failed=False)
    (commit,) = tree.commits()
    assert (commit.title, commit.hash, commit.files) == ("rows: draw them as bitmaps", "4e4af59", 4)
    assert commit.created == ["media/row.png", "new/rows.md"]
    assert tree.deleted() == ["media/row.svg", "old/rows.md"]
    tree.result("2", "[INFO] 3 files changed", has_failed=False)
    assert len(tree.commits()) == 1


def test_a_file_is_deleted_where_that_did_not_fail_and_it_was_not_made_again() -> None:
    tree = TreeChanges()
    for name in ("/work/a.svg", "b.svg", "/work/gone.py"):
        tree.made(name)
    for call, command in enumerate(("rm a.svg 'b.svg'", "rm gone.py", "rm -rf dist", "rm $X.py")):
        tree.call(str(call), "", command)
        tree.result(str(call), "", has_failed=call == 1)
    assert tree.deleted() == ["a.svg", "b.svg"]
    tree.made("a.svg")
    assert tree.deleted() == ["b.svg"]


def test_what_a_tool_made_for_the_moment_is_no_file_that_was_deleted() -> None:
    tree = TreeChanges()
    tree.call("1", "", "rm coverage.out")
    tree.result("1", "", has_failed=False)
    assert tree.deleted() == []


def test_a_patch_that_makes_a_file_anew_deletes_it_not() -> None:
    tree = TreeChanges()
    tree.made("b.md")
    patch = "*** Begin Patch\n*** Delete File: a.md\n*** Add File: a.md\n*** Delete File: b.md\n"
    tree.call("1", patch, "")
    tree.result("1", "ok", has_failed=False)
    assert tree.deleted() == ["b.md"]


def test_an_entry_tells_what_was_deleted_and_the_commit_by_its_hash() -> None:
    commit = CommitMade("rows: draw them", "4e4af59", 3, ["media/row.png"], ["media/row.svg"])
    made = piece(commits=[commit], deleted=["media/row.svg"])
    made.facts.files["/work/media/row.svg"] = FileTally(0, 1)
    made.facts.files["/work/a.py"] = FileTally(0, 2)
    made.facts.kept = [Moment(1, 1, "$ git commit -m 'rows: draw them'")]
    made.facts.commits = 1
    told = files_changed(made)
    assert (
        told == "`a.py`; committed with it: `row.png` in `media/`; deleted: `row.svg` in `media/`"
    )
    lines = list(context(made, ""))
    (kept,) = commits_by_turn(made).values()
    assert committed_in(made, kept) == "committed: `rows: draw them` (4e4af59, 3 files)"
    assert "How it stands: committed (last `4e4af59`), not pushed in this session" in lines


def test_what_was_moved_is_told_by_its_new_place() -> None:
    commit = CommitMade("todo done", "4e4af59", 1, ["done/a.md"], ["todo/a.md"])
    told = files_changed(piece(commits=[commit], deleted=["todo/a.md"]))
    assert told == "committed: `a.md` in `done/`"


def test_what_agents_keep_for_themselves_is_not_of_the_project() -> None:
    made = piece()
    made.facts.files["/work/a.py"] = FileTally(0, 1)
    made.facts.files["~/.claude/plans/the-plan.md"] = FileTally(0, 3)
    assert files_changed(made) == "`a.py`"


def test_what_an_edit_put_in_is_told_where_it_is_a_line_or_a_word() -> None:
    old = "def test_all_rows_of_the_reader(reader: Reader, names: Names) -> None:"
    edit = {"file_path": "a.py", "old_string": old, "new_string": f"{old}  # noqa: PT019"}
    assert put_in(json.dumps(edit)) == "# noqa: PT019"
    edits = [{"oldText": "a = 1", "newText": "a = 1\nb = 2\n"}]
    assert put_in(json.dumps({"path": "a.py", "edits": edits})) == "b = 2"
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-limit = 5\n+limit = 50\n*** End Patch"
    assert put_in(patch) == "limit = 50"
    many = {"old_string": "a", "new_string": "a\nb1\nc1\nd1"}
    assert put_in(json.dumps(many)) == ""
    assert put_in(json.dumps({"file_path": "a.py", "content": "x1"})) == ""


def test_the_text_of_a_skill_is_nobodys_own_word() -> None:
    skill = '<skill name="rows" location="~/s/SKILL.md">\nReads rows.\n</skill>'
    assert without_skills(skill) == "/rows"
    assert without_skills(f"{skill}\n\nof all files") == "/rows of all files"
    assert without_skills("Base directory for this skill: /s\n\n# Rows") == ""
    assert without_skills("what is a <skill>?") == "what is a <skill>?"


def test_tests_are_counted_and_a_red_check_stands_with_what_the_agent_says_of_it() -> None:
    made = piece(passed=["npm test"])
    made.facts.runs = [RunFact(1, 1, "vitest", "passed", 2842, None, "test")]
    assert "Passed: `npm test` (2,842 tests in the last run)" in list(context(made, ""))
    reply = "The form is done. No new type errors were introduced (all pre-existing)."
    turns = [Exchange(1, "mend the form", reply, 3, 1)]
    state = "tsc was last seen red: form.tsx(6): error TS2345"
    made.facts.runs += [RunFact(2, 2, "vitest", "passed", 3, None, "test")]
    assert "Passed: `npm test`" in list(context(made, ""))
    lines = list(context(piece(exchanges=turns, state=state, outcome="failed"), ""))
    assert lines[0].endswith(
        "(the agent: `No new type errors were introduced (all pre-existing).`)"
    )
