"""What was asked of the disk, so that a later look finds out by stat alone whether it changed."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

from helix_tui.context.files import Content, Disk, Kind


class Watched(msgspec.Struct, frozen=True):
    """Files and folders by path with their stamps, and names that were not in a folder."""

    stamps: dict[str, str] = {}
    absent: dict[str, list[str]] = {}


class WatchedDisk(Disk):
    """The disk, with a note of all that was asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self._asked: dict[str, Kind] = {}
        self._listed: set[str] = set()

    def kind(self, path: str) -> Kind:
        """What is there, behind links."""
        kind = self._asked[path] = super().kind(path)
        return kind

    def read(self, path: str) -> Content:
        """The beginning of a file."""
        self.kind(path)
        return super().read(path)

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in order."""
        self._listed.add(folder)
        return super().names(folder)

    def watched(self) -> Watched:
        """All that was asked, as it stands now."""
        watched = Watched()
        for path, kind in self._asked.items():
            if kind != "none":
                watched.stamps[path] = _stamp(path) if kind != "folder" else "folder"
                continue
            folder, name = _nearest(path)
            watched.absent.setdefault(folder, []).append(name)
            watched.stamps.setdefault(folder, "")
        for folder in (*watched.absent, *self._listed):
            watched.stamps[folder] = _stamp(folder)
        return watched


def is_unchanged(watched: Watched) -> bool:
    """Whether all is as it was; names that nobody asked for may come into a folder."""
    for path, stamp in watched.stamps.items():
        if stamp == "folder":
            continue
        if _stamp(path) == stamp:
            continue
        names = watched.absent.get(path)
        if names is None or any(os.path.lexists(os.path.join(path, name)) for name in names):
            return False
    return True


def _nearest(path: str, is_there: Callable[[str], bool] = os.path.isdir) -> tuple[str, str]:
    """The nearest folder that is there, and the name in it that leads to a path and is not."""
    folder, _, name = path.rpartition("/")
    while folder and not is_there(folder):
        folder, _, name = folder.rpartition("/")
    return folder or "/", name


def _stamp(path: str) -> str:
    """By what a file or folder is known to be as it was; empty where it is not there."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return ""
    return f"{status.st_mtime_ns}:{status.st_size}:{status.st_ino}"
