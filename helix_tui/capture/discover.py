"""Walks a source's folders and lists the parts of its units, reading none of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from helix_tui.capture.adapters import Adapter, Folder
from helix_tui.schema import Problem

Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Source:
    """One root of one flavor."""

    flavor: str
    root: str
    exclude: tuple[str, ...] = ()
    is_required: bool = False


class FoundPart(NamedTuple):
    """A part as discovery sees it; the stamp is (device, inode, size, mtime_ns)."""

    unit: str
    part: str
    path: str
    is_document: bool
    stamp: Stamp


@dataclass(slots=True)
class _Entries:
    """The entries of one folder by what they are."""

    folders: list[str]
    files: dict[str, os.DirEntry[str]]
    odd: dict[str, str]


def discover(source: Source, adapter: Adapter, problems: list[Problem]) -> Iterator[FoundPart]:
    """Every part below the source's root; what cannot be listed is a problem."""
    if not os.path.isdir(source.root):
        if source.is_required:
            problems.append(Problem(source.root, None, "no such folder"))
        return
    pending: list[tuple[str, ...]] = [()]
    while pending:
        path = pending.pop()
        if source.exclude and adapter.is_excluded(path, source.exclude):
            continue
        where = os.path.join(source.root, *path)
        try:
            entries = _list(where)
        except FileNotFoundError:
            continue
        except OSError as error:
            problems.append(Problem(where, None, error.strerror or "cannot be listed"))
            continue
        names: Sequence[str] = entries.folders
        files: Sequence[str] = list(entries.files)
        folder = adapter.list_folder(path, names, files)
        yield from _parts(where, folder, entries.files, problems)
        pending.extend((*path, name) for name in folder.folders)
        if entries.odd:
            _report_odd(where, adapter, path, entries.odd, problems)


def _list(where: str) -> _Entries:
    folders: list[str] = []
    files: dict[str, os.DirEntry[str]] = {}
    odd: dict[str, str] = {}
    with os.scandir(where) as scan:
        for entry in scan:
            if entry.is_file(follow_symlinks=False):
                files[entry.name] = entry
            elif entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            elif entry.is_symlink():
                odd[entry.name] = "a link, which is not followed"
            else:
                odd[entry.name] = "not a regular file"
    return _Entries(folders, files, odd)


def _parts(
    where: str, folder: Folder, files: dict[str, os.DirEntry[str]], problems: list[Problem]
) -> Iterator[FoundPart]:
    for name, unit, part, is_document in folder.parts:
        entry = files[name]
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue
        except OSError as error:
            problems.append(Problem(entry.path, None, error.strerror or "cannot be read"))
            continue
        stamp = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        yield FoundPart(unit or entry.path, part, entry.path, is_document, stamp)


def _report_odd(
    where: str,
    adapter: Adapter,
    path: Sequence[str],
    odd: dict[str, str],
    problems: list[Problem],
) -> None:
    """Links and special files that stand where a log or a folder of logs would."""
    names = list(odd)
    wanted = {part.name for part in adapter.list_folder(path, (), names).parts}
    wanted.update(
        name
        for name in adapter.list_folder(path, names, ()).folders
        if os.path.isdir(os.path.join(where, name))
    )
    problems.extend(Problem(os.path.join(where, name), None, odd[name]) for name in sorted(wanted))
