"""What git says of a repository that is written to, without running any program of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.curate.catalog.commit import CommitResult, commit
from helix_tui.errors import UsageError
from helix_tui.files.regular import read_regular_text
from helix_tui.program import ProgramError, run_program

_GIT = (
    *("git", "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null", "-c", "diff.external=", "-c", "core.pager=cat"),
)
_VARIABLES = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_LITERAL_PATHSPECS": "1"}
_SECONDS = 10.0
_COMMITS = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout")
_BRANCH = re.compile(r"[A-Za-z0-9_][\w./+-]{0,200}")
_LONGEST = 1 << 20


def head_of(root: str) -> str:
    """The commit that a repository is at, read from its files alone; empty where none is known."""
    try:
        git = Path(root) / ".git"
        if git.is_file():
            git = (git.parent / read_regular_text(git).partition("gitdir:")[2].strip()).resolve()
        head = read_regular_text(git / "HEAD").strip()
        if not head.startswith("ref:"):
            return head
        common = git / "commondir"
        shared = (git / read_regular_text(common).strip()) if common.is_file() else git
        name = head.removeprefix("ref:").strip()
        for folder in (git, shared):
            if (folder / name).is_file():
                return read_regular_text(folder / name).strip()
        for line in read_regular_text(shared / "packed-refs").splitlines():
            if line.endswith(f" {name}"):
                return line.split(" ")[0]
    except (OSError, UnicodeError):
        return ""
    return ""


class Branch(NamedTuple):
    """The branch that a repository is on, and the hooks that a commit runs there."""

    current: str
    hooks: list[str]


def prepare_commit(root: str, branch: str, files: Sequence[str]) -> Branch:
    """Whether files can be committed on a branch; all is checked before anything is written."""
    if not _BRANCH.fullmatch(branch) or ".." in branch or branch.endswith((".lock", "/")):
        raise UsageError(f"{branch!r} is no name of a branch.", "Name one, such as helix-rules.")
    current = _git(root, "symbolic-ref", "--quiet", "--short", "HEAD", is_optional=True).strip()
    known = _git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads").splitlines()
    if branch != current and branch in known:
        raise UsageError(
            f"{root} is on {current or 'no branch'}, and {branch} is there already.",
            f"Switch to {branch} first, or name a new branch; nothing was written.",
        )
    names = [os.path.relpath(os.path.realpath(path), os.path.realpath(root)) for path in files]
    status = ("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all")
    dirty = _git(root, *status, "--", *names)
    if dirty:
        listed = ", ".join(sorted(entry[3:] for entry in dirty.split("\0") if entry))
        raise UsageError(
            f"{listed} in {root} has changes that are not committed.",
            "Commit or stash them first, or leave --commit out; nothing was written.",
        )
    return Branch(current, hooks_of(root))


def hooks_of(root: str) -> list[str]:
    """The hooks that a commit there would run."""
    named = _git_plain(root, "config", "--get", "core.hooksPath").strip()
    usual = _git_plain(root, "rev-parse", "--git-path", "hooks").strip()
    folder = Path(root) / (Path(named).expanduser() if named else usual or ".git/hooks")
    return [name for name in _COMMITS if os.access(folder / name, os.X_OK)]


def commit_on(root: str, branch: str, current: str, files: Sequence[str]) -> CommitResult:
    """Commit files on a branch, which is begun here where it is not the one that is checked out."""
    if branch != current:
        try:
            _git(root, "checkout", "-q", "-b", branch)
        except UsageError as error:
            return CommitResult("", error.what)
    paths = [Path(os.path.realpath(path)) for path in files]
    return commit(Path(os.path.realpath(root)), paths, "Rules from the Pattern Catalog")


def _git(root: str, *arguments: str, is_optional: bool = False) -> str:
    command = (*_GIT, "-C", root, *arguments)
    try:
        output = run_program(command, b"", _SECONDS, variables=_VARIABLES, most_output=_LONGEST)
    except ProgramError as error:
        if is_optional:
            return ""
        raise UsageError(f"git cannot do that in {root}: {error.what}.") from error
    return output.decode("utf-8", "replace")


def _git_plain(root: str, *arguments: str) -> str:
    """What git's settings say, without ours."""
    try:
        command = ("git", "--no-pager", "-C", root, *arguments)
        return run_program(command, b"", _SECONDS, variables=_VARIABLES).decode("utf-8", "replace")
    except ProgramError:
        return ""
