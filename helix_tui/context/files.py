"""A view of files for the rules of agents, and the disk behind it, read within limits."""

from __future__ import annotations

import os
import stat
from typing import Literal, NamedTuple, Protocol

from helix_tui.files.regular import open_regular

Kind = Literal["none", "file", "folder", "other", "error"]
# More than any agent takes of one file.
MOST_BYTES = (4 << 20) + 1
_MOST_NAMES = 2_000


class Content(NamedTuple):
    """The beginning of a file, its whole size, or why it cannot be read."""

    data: bytes
    size: int
    trouble: str = ""


class Files(Protocol):
    """What the rules of agents ask of files; paths are absolute, with `/` between their parts."""

    def kind(self, path: str) -> Kind:
        """What is there, behind links; `error` where that cannot be told."""

    def read(self, path: str) -> Content:
        """The beginning of a file."""

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in order; none where it cannot be read."""

    def real(self, path: str) -> str:
        """The path behind all links, by which a file is known."""


class Disk:
    """The files of this machine; each question is asked of the disk once."""

    def __init__(self) -> None:
        self._kinds: dict[str, Kind] = {}
        self._contents: dict[str, Content] = {}
        self._reals: dict[str, str] = {}

    def kind(self, path: str) -> Kind:
        """What is there, behind links."""
        known = self._kinds.get(path)
        if known is None:
            known = self._kinds[path] = _kind(path)
        return known

    def read(self, path: str) -> Content:
        """The beginning of a file; a pipe or a device is refused at once."""
        known = self._contents.get(path)
        if known is None:
            known = self._contents[path] = _read(path)
        return known

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in order, as far as anybody would name that many."""
        try:
            with os.scandir(folder) as entries:
                names = [entry.name for entry, _ in zip(entries, range(_MOST_NAMES), strict=False)]
        except OSError:
            return []  # an agent finds nothing in it either
        return sorted(names)

    def real(self, path: str) -> str:
        """The path behind all links."""
        known = self._reals.get(path)
        if known is None:
            known = self._reals[path] = os.path.realpath(path)
        return known


def _kind(path: str) -> Kind:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        return "none"
    except (OSError, ValueError):
        return "error"
    if stat.S_ISREG(mode):
        return "file"
    return "folder" if stat.S_ISDIR(mode) else "other"


def _read(path: str) -> Content:
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(MOST_BYTES)
    except (OSError, ValueError) as error:
        return Content(b"", 0, getattr(error, "strerror", None) or str(error))
    return Content(data, max(size, len(data)))
