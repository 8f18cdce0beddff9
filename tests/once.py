"""What takes long to make and is only read or copied: made once for all processes of tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from filelock import FileLock


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of that name, which the first process that asks for it makes.

    What is not there whole, because making it failed, is made again by whoever asks next.
    """
    base = factory.getbasetemp()
    # Workers have a folder each, beside one another.
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    complete = place.with_suffix(".complete")
    with FileLock(place.with_suffix(".lock")):
        if not complete.exists():
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            make(place)
            complete.touch()
    return place


class _File(NamedTuple):
    path: str
    mode: int
    times: tuple[int, int]
    content: bytes


class _Tree(NamedTuple):
    folders: list[tuple[str, int]]
    files: list[_File]


def copied(source: Path, target: Path) -> None:
    """Copies a folder that nobody changes any more: it is read once, and each copy is written.

    Several hundred tests begin with a copy of a swept store: `shutil.copytree` takes four times as
    long. Files keep their times, by which a sweep tells what is new.
    """
    tree = _read(source)
    root = os.fspath(target)
    for path, mode in tree.folders:
        Path(root + path).mkdir(mode)
    for path, mode, times, content in tree.files:
        descriptor = os.open(root + path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            written = os.write(descriptor, content)
            assert written == len(content)
            os.utime(descriptor, ns=times)
        finally:
            os.close(descriptor)


@cache
def _read(source: Path) -> _Tree:
    root = os.fspath(source)
    tree = _Tree([("", source.stat().st_mode & 0o777)], [])
    for entry in _entries(root):
        path, found = entry.path.removeprefix(root), entry.stat(follow_symlinks=False)
        assert not entry.is_symlink(), f"{entry.path} is no file of its own"
        if entry.is_dir():
            tree.folders.append((path, found.st_mode & 0o777))
        else:
            times = found.st_atime_ns, found.st_mtime_ns
            tree.files.append(_File(path, found.st_mode & 0o777, times, Path(entry).read_bytes()))
    return tree


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            yield entry
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path)
