"""Name the repository that a session worked in."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath


@lru_cache(maxsize=4096)
def repo_of(cwd: str) -> str:
    """The main repository of the folder's git root or worktree, else the folder's own name."""
    root = _main_repository(Path(cwd)) if cwd.startswith("/") else None
    if root is not None:
        return root.name.removesuffix(".git") or cwd
    folder = PureWindowsPath(cwd) if "\\" in cwd else PurePosixPath(cwd)
    return folder.name or cwd


def _main_repository(folder: Path) -> Path | None:
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
