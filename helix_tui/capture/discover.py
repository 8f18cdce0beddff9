"""Walk a source's folders and list those that changed, without reading a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from helix_tui.capture.adapters import Adapter, PartFile
from helix_tui.schema import FileStamp, FolderMark, Problem
from helix_tui.text.hashing import hash64

NO_FOLDER = "no such folder"
NOT_HERE = "a database, which is read on the machine that it belongs to"
# How the name of a part begins that is the rows of a session in a database, and how that of the
# file ends in which SQLite keeps changes until it takes them over.
ROWS = "rows:"
WAL = "-wal"
_encode = msgspec.msgpack.Encoder().encode

# name, device, inode, size, mtime_ns
_File = tuple[str, int, int, int, int]


class DatabaseError(Exception):
    """A database cannot be read now; the message says why."""


class DatabaseChangedError(Exception):
    """An agent began to write to a database that nobody had open: read it again."""


class LogRoot(msgspec.Struct, frozen=True):
    """One root of one flavor."""

    flavor: str
    root: str
    exclude: tuple[str, ...] = ()
    is_required: bool = False


class FoundPart(NamedTuple):
    """A part of a unit, as it lies in its folder."""

    unit: str
    part: str
    path: str
    is_document: bool
    stamp: FileStamp
    # Of two copies the one of lower rank is read.
    rank: int = 0


class ChangedFolder(msgspec.Struct):
    """A folder or database in which something differs from its mark.

    Not every part of it need have changed.
    """

    path: str
    # None for what is compared part by part in every sweep.
    digest: int | None
    parts: list[FoundPart]
    is_database: bool = False


class SourceListing(msgspec.Struct):
    """What a walk found: folders that changed, and the units of those that did not."""

    changed: list[ChangedFolder] = []
    unchanged_files: int = 0
    unchanged_units: set[str] = set()
    problems: list[Problem] = []


class Entries(msgspec.Struct):
    """The entries of one folder by what they are."""

    files: list[_File] = []
    folders: list[str] = []
    odd: dict[str, str] = {}


def root_trouble(path: str) -> str | None:
    """Why a folder cannot be walked, or None if it can."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return "its name is not valid UTF-8"
    try:
        is_folder = stat.S_ISDIR(os.stat(path).st_mode)  # noqa: PTH116 - a link may be a root
    except (FileNotFoundError, NotADirectoryError):
        return NO_FOLDER
    except OSError as error:
        return error.strerror or "cannot be read"
    return None if is_folder else NO_FOLDER


def discover(
    source: LogRoot,
    adapter: Adapter,
    marks: Mapping[str, FolderMark],
    listing: SourceListing,
    entries_in: Callable[[str], Entries] | None = None,
) -> None:
    """Add to `listing` what is below the root; a folder is unchanged if its digest is.

    `entries_in` lists folders that are elsewhere than in this machine's file system.
    """
    is_elsewhere = entries_in is not None
    entries_in = entries_in or _list
    reason = None if is_elsewhere else root_trouble(source.root)
    if reason is not None:
        if reason != NO_FOLDER or source.is_required:
            listing.problems.append(Problem(_shown(source.root), None, reason))
        return
    pending: list[tuple[str, ...]] = [()]
    databases: list[str] = []
    while pending:
        path = pending.pop()
        if source.exclude and adapter.is_excluded(path, source.exclude):
            continue
        where = "/".join((source.root, *path))
        try:
            entries = entries_in(where)
        except FileNotFoundError:
            continue
        except OSError as error:
            listing.problems.append(Problem(where, None, error.strerror or "cannot be listed"))
            continue
        digest: int | None
        try:
            digest = _digest(entries, adapter)
        except UnicodeEncodeError:
            entries = _without_unreadable_names(entries)
            digest = _digest(entries, adapter)
        pending.extend((*path, name) for name in adapter.subfolders(path, entries.folders))
        mark = marks.get(where)
        if mark is not None and mark.digest == digest:
            listing.unchanged_files += mark.own_units
            listing.unchanged_units.update(mark.shared_units)
        else:
            found = adapter.parts(path, _names(entries))
            files = [part for part in found if part.unit or not part.is_database]
            if len(files) < len(found):
                # Its databases are looked at in every sweep: such a folder gets no mark.
                databases += [f"{where}/{part.name}" for part in found if part not in files]
                digest = None
            if parts := _parts(source, where, files, entries, adapter):
                listing.changed.append(ChangedFolder(where, digest, parts))
        if entries.folders and hasattr(adapter, "trees"):
            databases += [f"{where}/{name}" for name in adapter.trees(path, entries.folders)]
        if entries.odd:
            _report_odd(where, adapter, path, entries.odd, listing.problems)
    if databases and is_elsewhere:
        listing.problems += [Problem(place, None, NOT_HERE) for place in databases]
    elif databases:
        from helix_tui.capture.found_databases import list_databases

        list_databases(source, adapter, databases, marks, listing)


def _list(where: str) -> Entries:
    """The entries of a folder; a sweep that finds nothing new spends its time here."""
    entries = Entries()
    files = entries.files
    # Entries of an open folder are stat'ed relative to it: no walk down the path for each.
    descriptor = os.open(where, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with os.scandir(descriptor) as scan:
            for entry in scan:
                if entry.is_file(follow_symlinks=False):
                    try:
                        status = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    files.append(
                        (
                            entry.name,
                            status.st_dev,
                            status.st_ino,
                            status.st_size,
                            status.st_mtime_ns,
                        )
                    )
                elif entry.is_dir(follow_symlinks=False):
                    entries.folders.append(entry.name)
                elif entry.is_symlink():
                    entries.odd[entry.name] = "a link, which is not followed"
                else:
                    entries.odd[entry.name] = "not a regular file"
    finally:
        os.close(descriptor)
    return entries


def _without_unreadable_names(entries: Entries) -> Entries:
    """The entries whose names are text; the others can be neither stored nor shown."""

    def is_text(name: str) -> bool:
        try:
            name.encode()
        except UnicodeEncodeError:
            entries.odd[name] = "its name is not valid UTF-8"
            return False
        return True

    files = [file for file in entries.files if is_text(file[0])]
    folders = [name for name in entries.folders if is_text(name)]
    return Entries(files, folders, entries.odd)


def _digest(entries: Entries, adapter: Adapter) -> int:
    return hash64(_encode((adapter.version, entries.files, entries.folders)))


def _names(entries: Entries) -> list[str]:
    return [file[0] for file in entries.files]


def unit_name(source: LogRoot, adapter: Adapter, unit: str) -> str:
    """What a unit is called in the store: by its root, unless its parts may lie in several."""
    return f"#{unit}" if getattr(adapter, "joins_roots", False) else f"{source.root}#{unit}"


def _parts(
    source: LogRoot, where: str, parts: Sequence[PartFile], entries: Entries, adapter: Adapter
) -> list[FoundPart]:
    stamps = {file[0]: file[1:] for file in entries.files}
    return [
        FoundPart(
            unit_name(source, adapter, part.unit) if part.unit else f"{where}/{part.name}",
            _part_name(part),
            f"{where}/{part.name}",
            part.is_document or part.is_database,
            _stamp(part, stamps),
        )
        for part in parts
    ]


def _part_name(part: PartFile) -> str:
    """What a part is called in its unit; a database by its own name, if it has one."""
    if not part.is_database:
        return part.part
    return f"{ROWS}{part.unit if part.part == 'log' else part.part}"


def _stamp(part: PartFile, stamps: Mapping[str, tuple[int, int, int, int]]) -> FileStamp:
    """The stamp of a file; of a database also of what was not yet taken over from its log."""
    device, inode, size, mtime_ns = stamps[part.name]
    log = stamps.get(f"{part.name}{WAL}") if part.is_database else None
    if log is not None:
        size, mtime_ns = size + log[2], max(mtime_ns, log[3])
    return FileStamp(device, inode, size, mtime_ns)


def _report_odd(
    where: str,
    adapter: Adapter,
    path: Sequence[str],
    odd: dict[str, str],
    problems: list[Problem],
) -> None:
    """Report links and special files where a log or a folder of logs would be."""
    names = list(odd)
    relevant = {part.name for part in adapter.parts(path, names)}
    relevant.update(
        name for name in adapter.subfolders(path, names) if root_trouble(f"{where}/{name}") is None
    )
    for name in sorted(relevant):
        problems.append(Problem(f"{where}/{_shown(name)}", None, odd[name]))


def _shown(name: str) -> str:
    """A name that may not be text, as text."""
    return os.fsencode(name).decode("utf-8", "replace")
