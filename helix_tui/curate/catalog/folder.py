"""Read the files of a catalog folder as texts by id; links and other oddities are reported."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import NamedTuple

from helix_tui.errors import StoreError
from helix_tui.text.refuse import check_id

PAGE = ".md"
HISTORY = ".history.jsonl"
INDEX = "INDEX.md"
_LARGEST = {PAGE: 1 << 20, HISTORY: 1 << 26}
_NO_ID = "its name is no id: letters, digits, `.`, `_` and `-`, at most 121"
_NO_PATTERNS = frozenset({"index", "readme"})


class BadFile(NamedTuple):
    """A file that cannot be read as a pattern's, and the line and reason; it is left as it is."""

    path: Path
    line: int
    reason: str


class FolderTexts(NamedTuple):
    """The texts of the files with one suffix by id, and the files that cannot be read."""

    texts: dict[str, str]
    bad: list[BadFile]


class _UnreadableError(Exception):
    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def is_pattern_id(name: str) -> bool:
    """Whether a pattern of that id can have a page: `index` and `readme` are reserved."""
    return check_id(name) and name.casefold() not in _NO_PATTERNS


def find(root: Path, suffix: str) -> FolderTexts:
    """Read every file of a folder with that suffix."""
    texts: dict[str, str] = {}
    bad: list[BadFile] = []
    for name in _names(root, suffix):
        path = root / f"{name}{suffix}"
        try:
            text = _read(path, _LARGEST[suffix]) if check_id(name) else None
        except _UnreadableError as unreadable:
            bad.append(BadFile(path, unreadable.line, unreadable.reason))
        else:
            if text is not None:
                texts[name] = text
            elif not check_id(name):
                bad.append(BadFile(path, 1, _NO_ID))
    return FolderTexts(texts, bad)


def read_index(root: Path) -> tuple[str | None, bool]:
    """Return the text of the index, and whether something of its name is no readable file."""
    try:
        return _read(root / INDEX, _LARGEST[PAGE]), False
    except _UnreadableError:
        return None, True


def _names(root: Path, suffix: str) -> list[str]:
    try:
        with os.scandir(root) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(suffix)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(
            f"The catalog in {root} cannot be read: {error.strerror}.",
            "Look at that folder, or name another one in [curate] catalog_dir.",
        ) from error
    ids = (name.removesuffix(suffix) for name in sorted(names))
    return [name for name in ids if name.casefold() not in _NO_PATTERNS]


def _read(path: Path, largest: int) -> str | None:
    # Neither follow a link nor wait for the writer of a pipe.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise _UnreadableError("it is no plain file")
            data = file.read(largest + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _UnreadableError("it is a link; put the file itself there") from error
        is_folder = error.errno == errno.EISDIR
        reason = "it is no plain file" if is_folder else f"it cannot be read: {error.strerror}"
        raise _UnreadableError(reason) from error
    if len(data) > largest:
        raise _UnreadableError(f"it is larger than {largest >> 20} MiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _UnreadableError("this is no UTF-8", line) from error
