"""Read the files of a catalog folder as texts by id; links and other oddities are reported."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from helix_tui.errors import StoreError
from helix_tui.text.refuse import check_id

PAGE = ".md"
HISTORY = ".history.jsonl"
INDEX = "INDEX.md"
_LARGEST = {PAGE: 1 << 20, HISTORY: 1 << 26}
_NO_ID = "its name is no id: letters, digits, `.`, `_` and `-`, at most 121 characters"
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
    return _texts(root, _entries(root), suffix)


def find_both(root: Path) -> tuple[FolderTexts, FolderTexts]:
    """Read the pages of a folder, and the histories, as it was at one moment."""
    entries = _entries(root)
    return _texts(root, entries, PAGE), _texts(root, entries, HISTORY)


def _texts(root: Path, entries: list[os.DirEntry[str]], suffix: str) -> FolderTexts:
    texts: dict[str, str] = {}
    bad: list[BadFile] = []
    for name, entry in _named(entries, suffix):
        if not check_id(name):
            bad.append(BadFile(root / entry.name, 1, _NO_ID))
            continue
        try:
            text = _text(entry, _LARGEST[suffix])
        except _UnreadableError as unreadable:
            bad.append(BadFile(root / entry.name, unreadable.line, unreadable.reason))
        else:
            if text is not None:
                texts[name] = text
    return FolderTexts(texts, bad)


def read_index(root: Path) -> tuple[str | None, bool]:
    """Return the text of the index, and whether something of its name is no readable file."""
    try:
        return _read(str(root / INDEX), _LARGEST[PAGE]), False
    except _UnreadableError:
        return None, True


def _entries(root: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(root) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(
            f"The catalog in {root} cannot be read: {error.strerror}.",
            "Look at that folder, or name another one in [curate] catalog_dir.",
        ) from error


def _named(entries: list[os.DirEntry[str]], suffix: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    for entry in entries:
        name = entry.name.removesuffix(suffix)
        if name != entry.name and name.casefold() not in _NO_PATTERNS:
            yield name, entry


class _Stamp(NamedTuple):
    """What tells that a file is the one that was read."""

    inode: int
    size: int
    changed_ns: int
    status_ns: int


# Texts as they were read, by path: every verdict looks at all pages, of which few have changed.
_known: dict[str, tuple[_Stamp, str]] = {}
_MOST_KNOWN = 8_192
# A file that was changed just now can be changed again within one tick of the file system's clock:
# 2 s is the coarsest there is, and one whose times are no hundredths of a second is far finer.
_SETTLED_NS = 2_000_000_000
_FINE_SETTLED_NS = 100_000_000
_COARSE_NS = 10_000_000


def _text(entry: os.DirEntry[str], largest: int) -> str | None:
    """The text of a file; read again only where the file may be another than it was."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return _read(entry.path, largest)
    stamp = _Stamp(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    known = _known.get(entry.path)
    if known is not None and known[0] == stamp:
        return known[1]
    text = _read(entry.path, largest)
    latest = max(stamp.changed_ns, stamp.status_ns)
    is_fine = stamp.changed_ns % _COARSE_NS and stamp.status_ns % _COARSE_NS
    is_settled = time.time_ns() - latest > (_FINE_SETTLED_NS if is_fine else _SETTLED_NS)
    if text is not None and is_settled:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[entry.path] = stamp, text
    return text


def _read(path: str, largest: int) -> str | None:
    # Neither follows a link nor waits for whoever should write into a pipe.
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
