"""Which files are open, what was pushed, and which pull requests wait, by what git was told."""

import msgspec
import pytest

from helix_tui.engine.memory.checks_run import parted
from helix_tui.engine.memory.tree_changes import TreeChanges
from helix_tui.engine.memory.work_tree import WorkTree
from helix_tui.memory.distill.context import context
from helix_tui.memory.distill.files_changed import files_changed
from helix_tui.memory.distill.open_ends import open_ends
from helix_tui.schema import Facts
from helix_tui.schema.memory import CheckRun, CommitMade, Exchange, Piece, PullRequest, TreeStand

MADE = "[main 4e4af59] rows: read twice\n 1 file changed, 2 insertions(+)\n"
URL = "https://github.com/acme/rows/pull/7"


def piece(**more: object) -> Piece:
    made = Piece(*("s", "claude", "s", "app", "main", "/work", 1, 2, True, [], Facts(), []))
    return msgspec.structs.replace(made, **more)


class Session:
    """A session of calls, each with its result."""

    def __init__(self) -> None:
        self.tree, self.work, self.count = TreeChanges(), WorkTree(), 0

    def edit(self, *files: str, has_failed: bool = False) -> "Session":
        return self._step("", files, "ok", has_failed=has_failed)

    def run(self, command: str, text: str = "", *, has_failed: bool = False) -> "Session":
        return self._step(command, (), text, has_failed=has_failed)

    def _step(
        self, command: str, files: tuple[str, ...], text: str, *, has_failed: bool
    ) -> "Session":
        self.count += 1
        name = str(self.count)
        self.work.call(name, command, files)
        made = self.tree.result(name, text, has_failed=has_failed)
        commits = [one for one in self.tree.commits() if one.title in made]
        self.work.result(name, text, self.count, commits, has_failed=has_failed)
        return self

    @property
    def open(self) -> list[str]:
        return self.work.stands().open_files


def edited() -> Session:
    return Session().edit("/w/src/a.py", "/w/src/b.py").edit("/w/docs/c.md")


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("git add -A && git commit -m 'rows'", []),
        ("git commit -am rows", []),
        ("git add src/a.py && git commit -m 'rows: (-a) all'", ["/w/src/b.py", "/w/docs/c.md"]),
        ("git add src && git commit -F msg", ["/w/docs/c.md"]),
        ("git add 'src/*.py' && git commit -m rows", ["/w/docs/c.md"]),
        ("git -C /w add docs/c.md; git -C /w commit -m x", ["/w/src/a.py", "/w/src/b.py"]),
    ],
)
def test_a_commit_keeps_what_it_names_or_takes_in(command: str, left: list[str]) -> None:
    assert edited().run(command, MADE).open == left


def test_what_was_edited_behind_a_commit_is_open_and_a_failed_edit_is_none() -> None:
    session = edited().run("git commit -am x", MADE).edit("/w/src/a.py")
    session.edit("/w/src/never.py", has_failed=True)
    assert session.open == ["/w/src/a.py"]
    assert session.work.stands().refused == ["/w/src/never.py"]
    assert session.run("git restore src/a.py").open == []


def test_a_commit_that_a_hook_refused_keeps_nothing() -> None:
    session = edited().run("git commit -am x", "lint-staged failed", has_failed=True)
    assert len(session.open) == 3
    assert len(session.run("git commit -m x", "nothing added to commit").open) == 3


def test_git_itself_goes_before_what_was_run() -> None:
    session = edited().run("git status --short", " M src/b.py\n?? notes/\n")
    assert session.open == ["/w/src/b.py"]
    session.run("git status", "On branch main\nnothing to commit, working tree clean")
    assert session.open == []
    assert session.work.stands().is_clean
    assert not session.edit("/w/src/a.py").work.stands().is_clean


def test_what_lies_in_the_folder_of_git_is_in_no_commit() -> None:
    assert Session().edit("/w/.git/hooks/pre-push", "/tmp/notes.md").open == []


def test_a_push_takes_the_commits_before_it() -> None:
    session = edited().run("git commit -am x", MADE).run("git push", "main -> main")
    assert session.work.stands().unpushed == []
    again = MADE.replace("4e4af59", "a1b2c3d").replace("twice", "thrice")
    session.edit("/w/src/a.py").run("git commit -am y", again)
    assert session.work.stands().unpushed == ["a1b2c3d"]
    session.run("git push", "! [rejected] main -> main", has_failed=True)
    assert session.work.stands().unpushed == ["a1b2c3d"]


def test_a_pull_request_is_open_until_it_is_merged_or_said_to_be() -> None:
    body = "gh pr create --title 'Rows twice' --body '- [x] tests\n- [ ] run it on staging'"
    session = Session().run(body, URL)
    (request,) = session.work.requests()
    assert request == PullRequest("7", "Rows twice", "open", ["run it on staging"])
    (line,) = list(open_ends(piece(requests=[request])))
    assert line.startswith("Pull request #7 is open: `Rows twice`; not ticked in it: `run it on")
    session.work.said("Once it is merged, run it on staging.\nIt is not merged yet.")
    assert session.work.requests()[0].state == "open"
    session.work.said("Up to date. The PR was already merged. What's next?")
    assert session.work.requests()[0].state == "merged"
    assert list(open_ends(piece(requests=session.work.requests()))) == []
    for command, said in (("gh pr merge 7 --squash", "ok"), ("git log", "a1b2c3d rows (#7)")):
        other = Session().run(body, URL).run(command, said)
        assert other.work.requests()[0].state == "merged"


def test_very_many_files_are_told_by_their_folders_and_many_commits_by_themes() -> None:
    commits = [CommitMade(f"fix(gui): step {at}", f"{at}aaaaaa", at) for at in range(1, 7)]
    commits.append(CommitMade("docs: how it goes", "beefbee", 2))
    made = piece(commits=commits, written=[f"src/gui/{at}.py" for at in range(14)])
    assert files_changed(made) == "14 files: 14 in `src/gui/`"
    told = "Commits by theme: `gui` 6 times: `step 6`; `docs`: `how it goes`"
    assert told in list(context(made, ""))


def test_what_broke_off_names_the_request_and_what_was_begun_for_it() -> None:
    turn = Exchange(1, "1 - yes, 2 - go", "", 3, 1, files=["/work/a.py"])
    broken = "broke off in the middle of: 1 - yes, 2 - go | last step: $ git commit -m rows"
    facts = msgspec.structs.replace(Facts(), ended="tool_call")
    (line,) = open_ends(
        piece(
            exchanges=[turn],
            unfinished=[broken],
            title="Read rows",
            facts=facts,
            tree=TreeStand(True, [], code_edits=1),
        )
    )
    assert line == (
        "Broke off in the middle of: `1 - yes, 2 - go` (on `Read rows`); begun: `a.py` edited, no"
        " check run since; no result was seen of `git commit -m rows`"
    )


def test_a_check_before_any_edit_is_none_of_the_work() -> None:
    checks = [
        CheckRun("pytest", "test", "passed", 2, is_baseline=True),
        CheckRun("mypy", "types", "passed", 1),
        CheckRun("ruff", "lint", "passed", 0),
    ]
    told = parted(["pytest -q", "mypy src", "ruff check ."], checks)
    assert told == (["ruff check ."], ["mypy src"])
    tree = TreeStand(has_edits=True, code_edits=2)
    state = "the last check passed: ruff check ."
    lines = list(context(piece(state=state, checks=checks, tree=tree, passed=told[0]), ""))
    assert lines[0] == "How it stands: `ruff` passed after the last edit"
