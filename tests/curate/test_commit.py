"""Just the catalog's files are committed, and whatever hinders it is said in words."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from helix_tui.curate.catalog.commit import CommitResult, commit

Git = Callable[..., str]


@pytest.fixture(autouse=True)
def _own_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def git_in(folder: Path) -> Git:
    def git(*arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return git


def repository(folder: Path) -> Git:
    folder.mkdir(parents=True)
    git = git_in(folder)
    git("init", "--quiet")
    git("config", "user.name", "Jane")
    git("config", "user.email", "jane@example.com")
    return git


@pytest.fixture
def git(tmp_path: Path) -> Git:
    git = repository(tmp_path / "repo")
    (tmp_path / "repo" / "catalog").mkdir()
    return git


@pytest.fixture
def root(git: Git, tmp_path: Path) -> Path:
    return tmp_path / "repo" / "catalog"


def put(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def hook(root: Path, name: str, script: str) -> None:
    path = put(root.parent / ".git" / "hooks" / name, f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def files_of(git: Git, what: str = "HEAD") -> list[str]:
    return git("show", "--name-status", "--format=", "--no-renames", what).splitlines()


def test_new_changed_and_removed_files_are_one_commit(root: Path, git: Git) -> None:
    a, b, c = (put(root / f"{name}.md", name) for name in "abc")
    first = commit(root, [a, b], "Pattern a, b")
    assert first == CommitResult(git("rev-parse", "HEAD").strip(), "")
    put(a, "changed")
    b.unlink()
    assert commit(root, [a, b, c], "Update").reason == ""
    assert files_of(git) == ["M\tcatalog/a.md", "D\tcatalog/b.md", "A\tcatalog/c.md"]
    assert git("log", "-1", "--format=%an %s").strip() == "Jane Update"
    assert git("status", "--porcelain") == ""


def test_what_else_is_staged_changed_or_new_stays_as_it_is(root: Path, git: Git) -> None:
    work = root.parent
    put(work / "staged", "1"), put(work / "changed", "1"), put(work / "gone", "1")
    git("add", "."), git("commit", "-qm", "before")
    put(work / "staged", "2"), git("add", "staged"), put(work / "staged", "3")
    put(work / "changed", "2"), put(work / "new", "1"), put(work / "added", "1")
    git("add", "added"), git("rm", "-q", "gone")
    put(root / "other.md", "a person's")
    before = git("status", "--porcelain")
    assert commit(root, [put(root / "a.md", "x")], "Pattern a").commit
    assert files_of(git) == ["A\tcatalog/a.md"]
    assert git("status", "--porcelain").replace("?? catalog/other.md", "?? catalog/") == before
    assert git("show", ":staged") == "2"


def test_nothing_changed_is_no_commit_and_no_complaint(root: Path, git: Git) -> None:
    a = put(root / "a.md", "x")
    commit(root, [a], "Pattern a")
    head = git("rev-parse", "HEAD")
    assert commit(root, [a], "Again") == CommitResult("", "")
    assert commit(root, [], "None") == CommitResult("", "")
    assert commit(root, [root / "never-there.md"], "Never") == CommitResult("", "")
    assert git("rev-parse", "HEAD") == head


def test_a_file_that_came_and_went_unseen_hinders_no_other(root: Path, git: Git) -> None:
    a = put(root / "a.md", "x")
    assert commit(root, [a, root / "gone.md"], "Pattern a").reason == ""
    assert files_of(git) == ["A\tcatalog/a.md"]


def test_names_are_names_and_no_patterns(root: Path, git: Git) -> None:
    put(root / "other.md", "x")
    assert commit(root, [root / "*.md", root / ":(glob)**"], "All") == CommitResult("", "")
    dash = put(root / "-a.md", "x")
    assert commit(root, [dash], "--amend").reason == ""
    assert git("log", "-1", "--format=%s").strip() == "--amend"
    assert files_of(git) == ["A\tcatalog/-a.md"]


def test_a_message_cannot_steer_a_terminal_nor_grow_lines(root: Path, git: Git) -> None:
    commit(root, [put(root / "a.md", "x")], "Pattern \x1b[31mred\n\nSigned-off-by: \u202eme\0")
    said = git("log", "-1", "--format=%B").strip()
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "\n" not in said


def test_through_a_link_to_the_folder_as_well(root: Path, git: Git, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(root)
    assert commit(tmp_path / "way", [put(tmp_path / "way" / "a.md", "x")], "Pattern a").commit
    assert files_of(git) == ["A\tcatalog/a.md"]


def test_no_repository_is_a_reason(tmp_path: Path) -> None:
    for folder in (tmp_path / "plain", tmp_path / "not-there"):
        if folder.name == "plain":
            folder.mkdir()
        made = commit(folder, [folder / "a.md"], "Pattern a")
        assert made.commit == ""
        assert str(folder) in made.reason
    assert "is not in a git repository" in commit(tmp_path / "plain", [], "x").reason


def test_without_an_identity_the_reason_says_what_to_set(root: Path, git: Git) -> None:
    git("config", "--unset", "user.name"), git("config", "--unset", "user.email")
    git("config", "user.useConfigOnly", "true")
    made = commit(root, [put(root / "a.md", "x")], "Pattern a")
    assert "user.email" in made.reason
    assert git("status", "--porcelain") == "?? catalog/\n"


def test_a_failing_hook_is_a_reason_and_nothing_stays_staged(root: Path, git: Git) -> None:
    hook(root, "pre-commit", "echo 'no \x1b[31mpatterns here' >&2; exit 1")
    made = commit(root, [put(root / "a.md", "x")], "Pattern a")
    assert made.commit == ""
    assert "patterns here" in made.reason
    assert "\x1b" not in made.reason
    assert git("status", "--porcelain") == "?? catalog/\n"


def test_without_git_the_reason_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert commit(root, [root / "a.md"], "x") == CommitResult("", "git is not installed.")


def test_a_held_lock_is_a_reason(root: Path, git: Git) -> None:
    put(root.parent / ".git" / "index.lock", "")
    made = commit(root, [put(root / "a.md", "x")], "Pattern a")
    assert "Another git is at work" in made.reason
    (root.parent / ".git" / "index.lock").unlink()
    assert commit(root, [root / "a.md"], "Pattern a").commit


def test_an_ignored_catalog_is_a_reason(root: Path, git: Git) -> None:
    put(root.parent / ".gitignore", "catalog/\n")
    made = commit(root, [put(root / "a.md", "x")], "Pattern a")
    assert "ignored" in made.reason


def test_in_the_middle_of_a_merge_git_says_why_not(root: Path, git: Git) -> None:
    a = put(root / "a.md", "x")
    commit(root, [a], "Pattern a")
    put(root.parent / ".git" / "MERGE_HEAD", git("rev-parse", "HEAD"))
    put(a, "y")
    assert "merge" in commit(root, [a], "Update").reason


def ends(pid: int, seconds: float = 10) -> bool:
    """Whether a process that was killed is gone: on a busy machine it takes its time to die."""
    stat, until = Path(f"/proc/{pid}/stat"), time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if stat.read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


def test_a_hook_that_waits_is_ended_with_all_it_started(root: Path, git: Git) -> None:
    hook(root, "pre-commit", "sleep 300 & echo $! > pid; cat; wait")
    start = time.monotonic()
    made = commit(root, [put(root / "a.md", "x")], "Pattern a", timeout=1)
    assert time.monotonic() - start < 10
    assert "was not done within 1 seconds" in made.reason
    assert not (root.parent / ".git" / "index.lock").exists()
    assert ends(int((root.parent / "pid").read_text()))


def test_what_a_hook_leaves_running_holds_nobody_up(root: Path, git: Git) -> None:
    hook(root, "post-commit", "sleep 5 &")
    start = time.monotonic()
    assert commit(root, [put(root / "a.md", "x")], "Pattern a").commit
    assert time.monotonic() - start < 4


def test_a_signature_that_cannot_be_made_is_a_reason(root: Path, git: Git, tmp_path: Path) -> None:
    signer = put(tmp_path / "signer", "#!/bin/sh\ncat </dev/tty\nexit 1\n")
    signer.chmod(0o755)
    git("config", "commit.gpgSign", "true"), git("config", "gpg.program", str(signer))
    made = commit(root, [put(root / "a.md", "x")], "Pattern a", timeout=10)
    assert "sign" in made.reason or "gpg" in made.reason


def test_the_repository_of_a_surrounding_hook_is_left_alone(
    root: Path, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = repository(tmp_path / "other")
    place = tmp_path / "other" / ".git"
    monkeypatch.setenv("GIT_DIR", str(place))
    monkeypatch.setenv("GIT_INDEX_FILE", str(place / "index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
    monkeypatch.setenv("GIT_PREFIX", "x/")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody Else")
    made = commit(root, [put(root / "a.md", "x")], "Pattern a")
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_AUTHOR_NAME"):
        monkeypatch.delenv(name)
    assert made.commit == git("rev-parse", "HEAD").strip()
    assert git("log", "-1", "--format=%an").strip() == "Jane"
    assert other("status", "--porcelain") == ""
