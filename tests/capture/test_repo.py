"""A session's repository, from real git folders and from those that are gone."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from helix_tui.capture.repo import repo_of

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@t", *arguments],
        check=True,
        capture_output=True,
    )


@pytest.fixture
def main_repository(tmp_path: Path) -> Path:
    main = tmp_path / "payments"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "commit", "-q", "--allow-empty", "-m", "x")
    return main


def test_folder_within_a_repository(main_repository: Path) -> None:
    deep = main_repository / "src" / "api"
    deep.mkdir(parents=True)
    assert repo_of(str(deep)) == "payments"


def test_worktree_belongs_to_its_main_repository(main_repository: Path, tmp_path: Path) -> None:
    worktree = tmp_path / "elsewhere" / "fix-42"
    git(main_repository, "worktree", "add", "-q", str(worktree))
    (worktree / "src").mkdir()
    assert repo_of(str(worktree / "src")) == "payments"


def test_submodule_is_a_repository_of_its_own(main_repository: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(main_repository))
    assert repo_of(str(outer / "payments")) == "payments"


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/gone/app", "app"),
        ("/gone/cli/.worktrees/1", "cli"),
        ("/gone/cli/.worktrees/alex/fix-42/src", "cli"),
        ("/gone/cli/.claude/worktrees/brave-fox", "cli"),
        ("/gone/cli/.codex/worktrees/fix-42/src", "cli"),
        ("/gone/cli.worktrees/fix-42", "cli"),
        ("/gone/cli-worktrees/fix-42", "cli"),
        ("/home/me/.cursor/worktrees/cli/x1Yz", "cli"),
        ("/Users/me/.codex/worktrees/4f2a/cli", "cli"),
        ("/root/.herdr/worktrees/cli/fix-42", "cli"),
        ("C:\\Users\\me\\.cursor\\worktrees\\cli\\abc", "cli"),
        ("/gone/experiments/worktrees", "worktrees"),
        ("/gone/experiments/worktrees/src", "src"),
        ("/gone/cli/.worktrees", ".worktrees"),
        ("C:\\git\\cc-plus", "cc-plus"),
        ("relative/place", "place"),
        ("/", "/"),
        ("/a\0b", "a\0b"),
        ("/" + "x" * 5000, "x" * 5000),
    ],
)
def test_folder_that_does_not_exist_gives_its_own_name(cwd: str, name: str) -> None:
    assert repo_of(cwd) == name


@pytest.mark.parametrize(
    ("cwd", "remote", "name"),
    [
        ("/home/me/.codex/worktrees/4f2a", "git@example.com:me/cli.git", "cli"),
        ("/gone/4f2a9c01", "https://example.com/me/cli", "cli"),
        ("/gone/cli-copy", "https://example.com/me/cli.git", "cli-copy"),
        ("/gone/app/.worktrees/4f2a", "https://example.com/me/cli.git", "app"),
        ("/gone/4f2a9c01", "", "4f2a9c01"),
    ],
)
def test_remote_names_a_folder_that_a_program_named(cwd: str, remote: str, name: str) -> None:
    assert repo_of(cwd, remote) == name
