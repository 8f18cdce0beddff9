"""The files of a catalog's folder as texts by id; what is none of them is told, not followed."""

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
    """A file that is no pattern's, where and why; it is left as it is."""

    path: Path
    line: int
    reason: str


class FolderTexts(NamedTuple):
    """The texts of one sort of file by id, and the files that cannot be read as one."""

    texts: dict[str, str]
    bad: list[BadFile]


class _UnfitError(Exception):
    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def is_pattern_id(name: str) -> bool:
    """Whether a pattern of that id can have a page: some names are taken."""
    return check_id(name) and name.casefold() not in _NO_PATTERNS


def find(root: Path, suffix: str) -> FolderTexts:
    """Every file of a folder with that ending, by id."""
    texts: dict[str, str] = {}
    bad: list[BadFile] = []
    for name in _names(root, suffix):
        path = root / f"{name}{suffix}"
        try:
            text = _read(path, _LARGEST[suffix]) if check_id(name) else None
        except _UnfitError as unfit:
            bad.append(BadFile(path, unfit.line, unfit.reason))
        else:
            if text is not None:
                texts[name] = text
            elif not check_id(name):
                bad.append(BadFile(path, 1, _NO_ID))
    return FolderTexts(texts, bad)


def read_index(root: Path) -> tuple[str | None, bool]:
    """The text of the index, and whether there is something of its name that is no text."""
    try:
        return _read(root / INDEX, _LARGEST[PAGE]), False
    except _UnfitError:
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
    # Neither follows a link nor waits for whoever should write into a pipe.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise _UnfitError("it is no plain file")
            data = file.read(largest + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _UnfitError("it is a link; put the file itself there") from error
        is_folder = error.errno == errno.EISDIR
        reason = "it is no plain file" if is_folder else f"it cannot be read: {error.strerror}"
        raise _UnfitError(reason) from error
    if len(data) > largest:
        raise _UnfitError(f"it is larger than {largest >> 20} MiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _UnfitError("this is no UTF-8", line) from error
