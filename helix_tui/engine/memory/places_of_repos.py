"""Which repository a folder is of: worktrees and folders below map to the one they belong to.

Sessions know their repository by name alone, and two folders may share a name: what is handed to
an agent must be of the very folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from helix_tui.capture.repo import main_repository, repo_of

_WORKTREE = re.compile(r"[./_-]worktrees/")


class RepoPlace(NamedTuple):
    """A repository of this machine: its folder, and the name that its sessions have."""

    root: str
    name: str


def place_of(folder: str) -> RepoPlace | None:
    """The repository around a folder, or the folder itself; None where it is not there."""
    root = root_of(folder)
    return RepoPlace(root, repo_of(folder)) if root else None


@lru_cache(maxsize=4096)
def root_of(folder: str) -> str:
    """The folder of the repository around a folder; empty where that is gone."""
    if not folder.startswith("/") or not _is_folder(folder):
        return ""
    found = main_repository(Path(folder))
    return os.path.realpath(found or folder)


class Roots:
    """The folders of this machine by the names of their repositories."""

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        root_of.cache_clear()
        self._by_name: dict[str, dict[str, set[str]]] = {}
        for repo, cwd, flavor in rows:
            if root := root_of(cwd):
                self._by_name.setdefault(repo, {}).setdefault(root, set()).add(flavor)

    def places(self) -> list[RepoPlace]:
        """All that are known."""
        return [RepoPlace(root, name) for name, roots in self._by_name.items() for root in roots]

    def flavors(self, place: RepoPlace) -> set[str]:
        """The agents that worked there."""
        return self._by_name.get(place.name, {}).get(place.root, set())

    def is_only(self, place: RepoPlace) -> bool:
        """Whether sessions ran there, and in no other folder with that name."""
        return set(self._by_name.get(place.name, {})) == {place.root}

    def has(self, place: RepoPlace, cwd: str) -> bool:
        """Whether a session that ran in a folder is of a place.

        Of a folder that is gone only its path tells: it was in the place, or a worktree that an
        agent kept elsewhere of the one repository with that name.
        """
        if root := root_of(cwd):
            return root == place.root
        if f"{cwd}/".startswith(f"{place.root}/"):
            return True
        return bool(_WORKTREE.search(cwd)) and self.is_only(place)


def _is_folder(path: str) -> bool:
    try:
        return os.path.isdir(path)  # noqa: PTH112 - for every session
    except ValueError:
        return False
