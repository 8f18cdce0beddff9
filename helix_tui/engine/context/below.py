"""Folders below one that have instruction files of their own, looked for within limits."""

from __future__ import annotations

import os
from typing import NamedTuple

from helix_tui.context.below import NAMES

# Folders of other people's code, and of what tools make.
_PASSED_OVER = frozenset(
    {
        *("node_modules", "vendor", "target", "dist", "build", "venv", "site-packages"),
        *("__pycache__", "Pods", "bower_components", "third_party"),
    }
)
_MOST_ENTRIES = 20_000
_MOST_FOLDERS = 100
_CLAUDE = ".claude"


class Below(NamedTuple):
    """The folders, and whether all of what is below was looked at."""

    folders: list[str]
    is_whole: bool


def folders_below(top: str) -> Below:
    """The folders below one, nearest first, in which an instruction file stands.

    Hidden folders and those of other people's code are passed over, links are not followed.
    """
    folders: list[str] = []
    waiting, seen = [top], 0
    while waiting:
        following: list[str] = []
        for folder in waiting:
            names, inner = _look(folder)
            seen += len(names)
            if folder != top and (not NAMES.isdisjoint(names) or _has_claude(folder, names)):
                folders.append(folder)
            following += inner
            if seen > _MOST_ENTRIES or len(folders) >= _MOST_FOLDERS:
                return Below(folders, False)
        waiting = following
    return Below(folders, True)


def _look(folder: str) -> tuple[set[str], list[str]]:
    """The names in a folder, and the folders in it that are worth a look."""
    names: set[str] = set()
    inner: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.add(entry.name)
                is_plain = entry.name[0] != "." and entry.name not in _PASSED_OVER
                if is_plain and entry.is_dir(follow_symlinks=False):
                    inner.append(entry.path)
                if len(names) > _MOST_ENTRIES:
                    break
    except OSError:
        return names, inner  # an agent finds nothing in it either
    return names, sorted(inner)


def _has_claude(folder: str, names: set[str]) -> bool:
    if _CLAUDE not in names:
        return False
    inner, _ = _look(f"{folder}/{_CLAUDE}")
    return "CLAUDE.md" in inner or "rules" in inner
