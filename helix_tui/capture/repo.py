"""Name the repository that a session worked in: that of a worktree is its main one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath

# A folder that a program named by itself.
_HASH = re.compile(r"[0-9a-f]{4,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_BESIDE = re.compile(r"(.{1,200})[._-]worktrees")
_IN_REMOTE = re.compile(r"([^/:\\]{1,200}?)(?:\.git)?/*$")


@lru_cache(maxsize=4096)
def repo_of(cwd: str, remote: str = "") -> str:
    """The main repository of the folder's git root or worktree, else the folder's own name.

    Of a worktree that is gone its path tells: agents keep them in folders of their own. Where that
    says nothing, the `remote` does that its log recorded.
    """
    root = main_repository(Path(cwd)) if cwd.startswith("/") else None
    if root is not None:
        return root.name.removesuffix(".git") or cwd
    folder = PureWindowsPath(cwd) if "\\" in cwd else PurePosixPath(cwd)
    named = _owner_by_path(folder.parts)
    if named:
        return named
    if remote and (named is not None or _HASH.fullmatch(folder.name)):
        name = _IN_REMOTE.search(remote)
        return name[1] if name else folder.name or cwd
    return folder.name or cwd


def _owner_by_path(parts: Sequence[str]) -> str | None:
    """The repository of a worktree by its path: empty where that has none, None for no worktree.

    `<repo>/.worktrees/x`, `<repo>/.claude/worktrees/x`, `<repo>.worktrees/x`, and in a home
    `.cursor/worktrees/<repo>/x` or `.codex/worktrees/<hash>/<repo>`. A repository may itself be
    called `worktrees`.
    """
    for at, name in enumerate(parts[:-1]):
        above = parts[at - 1] if at else ""
        if name == ".worktrees" and above:
            return above
        if name == "worktrees" and above.startswith("."):
            owner = parts[at - 2] if at > 1 else ""
            return _named_below(parts[at + 1 :]) if _is_home(parts[: at - 1]) else owner
        if beside := _BESIDE.fullmatch(name):
            return beside[1]
    return None


def _named_below(parts: Sequence[str]) -> str:
    """The repository among the folders of a program that keeps the worktrees of all of them."""
    return next((name for name in parts[:2] if not _HASH.fullmatch(name)), "")


def _is_home(parts: Sequence[str]) -> bool:
    """Whether these are the folders of somebody's home."""
    return parts[-1:] == ("root",) or (len(parts) > 1 and parts[-2] in ("home", "Users"))


def main_repository(folder: Path) -> Path | None:
    """The root of the repository around a folder that still exists."""
    try:
        if not folder.is_dir():
            return None
        for candidate in (folder, *folder.parents):
            git = candidate / ".git"
            if git.is_dir():
                return candidate
            if git.is_file():
                return _of_worktree(git) or candidate
    except (OSError, ValueError):
        return None  # a path from another machine may be anything
    return None


def _of_worktree(git_file: Path) -> Path | None:
    """The main repository that a linked worktree's `.git` file points to."""
    with git_file.open(encoding="utf-8", errors="replace") as file:
        pointer = file.read(4096).strip()
    if not pointer.startswith("gitdir:"):
        return None
    git_dir = (git_file.parent / pointer.removeprefix("gitdir:").strip()).resolve()
    # <main>/.git/worktrees/<name>, or <main>.git/worktrees/<name> of a bare repository; a
    # submodule's is <main>/.git/modules/<name>, a root of its own
    if git_dir.parent.name != "worktrees":
        return None
    owner = git_dir.parent.parent
    return owner.parent if owner.name == ".git" else owner
