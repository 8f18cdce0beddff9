"""Files that are there whole or not at all, also after a crash or a power cut."""

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
from helix_tui.store.layout import FOLDER_MODE

_TEMPORARY = re.compile(r"\..+\.(?P<pid>\d{1,10})-\d+\.helix~")
_ABANDONED_SECONDS = 3600  # the number of a process that was killed may have a new bearer
FULL = (errno.ENOSPC, errno.EDQUOT)
_numbers = itertools.count()
_being_written: set[Path] = set()


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turns what the disk says of a file into a plain sentence."""
    try:
        yield
    except OSError as error:
        what = f"{path} cannot be written: {error.strerror or error}."
        if error.errno in FULL:
            raise OutOfSpaceError(what, "Free some space and try again.") from error
        raise StoreError(what, "Look at the folder and what may be done in it.") from error


def sync_folder(folder: Path) -> None:
    """Makes durable which names a folder has."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Makes a folder for its owner alone, and those above it, where they are missing; durably."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    with suppress(FileExistsError):  # somebody else made it just now
        folder.mkdir(mode=FOLDER_MODE)
    sync_folder(folder.parent)


def write_atomically(path: Path, data: bytes, mode: int, *, is_folder_synced: bool = True) -> None:
    """Puts a file in place of whatever had its name, which is there until the new one is.

    Who writes many files in one folder may sync that once, behind the last of them.
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
    """Takes a file away for good; one that is not there is none the less gone."""
    with told(path):
        path.unlink(missing_ok=True)
        if is_folder_synced:
            sync_folder(path.parent)


def remove_leftovers(folder: Path) -> list[Path]:
    """Removes what processes that were killed left half written, and says which files it was."""
    found = []
    with told(folder):
        for entry in list(os.scandir(folder)):
            name = _TEMPORARY.fullmatch(entry.name)
            path = folder / entry.name
            if name and entry.is_file(follow_symlinks=False) and not _is_at_work(path, name["pid"]):
                path.unlink(missing_ok=True)
                found.append(path)
    return found


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
        pass  # somebody else's, but there
    try:
        return time.time() - partial.lstat().st_mtime < _ABANDONED_SECONDS
    except FileNotFoundError:
        return False
