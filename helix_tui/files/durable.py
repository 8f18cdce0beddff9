"""Files that are complete or not there at all, also after a crash or a power cut."""

from __future__ import annotations

import errno
import itertools
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from helix_tui.errors import OutOfSpaceError, StoreError

# Only the owner may read what Helix keeps.
FOLDER_MODE = 0o700
FILE_MODE = 0o600

_TEMPORARY = re.compile(r"\..+\.(?P<pid>\d{1,10})-\d+\.helix~")
_ABANDONED_SECONDS = 3600  # the pid of a killed process may have been reused
FULL = (errno.ENOSPC, errno.EDQUOT)
_numbers = itertools.count()
_being_written: set[Path] = set()


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn an error of the disk into a StoreError that names the file."""
    try:
        yield
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror or error}."
        if error.errno in FULL:
            raise OutOfSpaceError(message, "Free some space and try again.") from error
        raise StoreError(message, "Look at the folder and what may be done in it.") from error


def sync_folder(folder: Path) -> None:
    """Make a folder's list of names durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents where they are missing, durably and for the owner alone."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    with suppress(FileExistsError):  # somebody else made it just now
        folder.mkdir(mode=FOLDER_MODE)
    sync_folder(folder.parent)


def write_atomically(path: Path, data: bytes, mode: int, *, is_folder_synced: bool = True) -> None:
    """Replace a file in one step; the old one is there until the new one is.

    Who writes many files in one folder may sync it once, after the last of them.
    """
    with told(path):
        partial = _write_beside(path, data, mode)
        try:
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        finally:
            _being_written.discard(partial)
        if is_folder_synced:
            sync_folder(path.parent)


def remove_durably(path: Path, *, is_folder_synced: bool = True) -> None:
    """Remove a file for good; it need not exist."""
    with told(path):
        path.unlink(missing_ok=True)
        if is_folder_synced:
            sync_folder(path.parent)


def remove_leftovers(folder: Path) -> list[Path]:
    """Remove temporary files of processes that were killed; return their paths."""
    removed = []
    with told(folder):
        for entry in list(os.scandir(folder)):
            name = _TEMPORARY.fullmatch(entry.name)
            path = folder / entry.name
            if name and entry.is_file(follow_symlinks=False) and not _is_at_work(path, name["pid"]):
                path.unlink(missing_ok=True)
                removed.append(path)
    return removed


def _write_beside(path: Path, data: bytes, mode: int) -> Path:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    while True:
        partial = path.with_name(f".{path.name}.{os.getpid()}-{next(_numbers)}.helix~")
        try:
            descriptor = os.open(partial, flags, mode)
            break
        except FileExistsError:
            continue
    _being_written.add(partial)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        partial.unlink(missing_ok=True)
        _being_written.discard(partial)
        raise
    return partial


def _is_at_work(partial: Path, pid: str) -> bool:
    if int(pid) == os.getpid():
        return partial in _being_written
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # a running process of somebody else
    try:
        return time.time() - partial.lstat().st_mtime < _ABANDONED_SECONDS
    except FileNotFoundError:
        return False
