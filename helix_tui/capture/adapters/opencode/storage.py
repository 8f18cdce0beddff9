"""The old storage, a file for each row, read as the database that OpenCode made of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from helix_tui.capture.adapters import Row
from helix_tui.capture.adapters.opencode.records import MessageInfo, SessionInfo, decoded
from helix_tui.capture.databases import FoundUnit, unit_stamp
from helix_tui.capture.tail import MAX_LINE
from helix_tui.files.regular import read_regular
from helix_tui.text.hashing import hash64

# inode, size, mtime_ns
_Stat = tuple[int, int, int]
# name, inode, size, mtime_ns
_File = tuple[str, int, int, int]
_JSON = ".json"
_TABLES = ("session", "message", "part")


class StorageTree:
    """`session/<project>/<id>.json`, `message/<session>/<id>.json`, `part/<message>/<id>.json`."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lists: dict[str, list[tuple[str, list[_File]]]] = {}

    def digest(self) -> int:
        """What tells by stat alone that a file was added, changed or deleted."""
        return hash64(msgspec.msgpack.encode([self._listed(table) for table in _TABLES]))

    def units(self) -> Iterator[FoundUnit]:
        """Every session, with the stats of all its files."""
        for unit, found in self._sessions.items():
            messages = self._messages.get(unit, {})
            parts = [self._parts.get(message, {}) for message in messages]
            rows = len(messages) + sum(map(len, parts))
            yield FoundUnit(unit, unit_stamp(rows, found, messages, parts))

    def rows(self, unit: str) -> Iterator[tuple[str, Sequence[Row]]]:
        """The rows of a session, as the database's queries give them; no other's files are met."""
        content = self._session(unit)
        info = decoded(content, SessionInfo) if content else None
        if info is None:
            return
        yield (
            "session",
            [(unit, info.parent_id, info.directory, info.title, info.version, info.time.created)],
        )
        for message, data in self._ordered(unit):
            yield "message", [(message, data)]
            parts = [
                (name, self._read("part", message, name))
                for name in _files(f"{self._path}/part/{message}")
            ]
            if parts:
                yield "part", parts

    def require_unchanged(self) -> None:
        """Each file is read whole: there is nothing that may not fit together."""

    def _ordered(self, unit: str) -> list[tuple[str, bytes]]:
        """A session's messages by their time, then by their id."""
        names = _files(f"{self._path}/message/{unit}")
        rows = [(name, self._read("message", unit, name)) for name in names]
        return sorted(rows, key=lambda row: (_created(row[1]), row[0]))

    def _session(self, unit: str) -> bytes:
        """What is said of a session, wherever its project is."""
        projects = sorted((entry.name for entry in _entries(f"{self._path}/session")), reverse=True)
        found = (self._read("session", project, unit) for project in projects)
        return next(filter(None, found), b"")

    def _read(self, table: str, folder: str, name: str) -> bytes:
        try:
            return read_regular(f"{self._path}/{table}/{folder}/{name}{_JSON}", MAX_LINE)
        except (FileNotFoundError, NotADirectoryError):
            return b""  # not there, or deleted since it was listed

    @cached_property
    def _sessions(self) -> dict[str, tuple[str, _Stat]]:
        return {
            name: (project, stat)
            for project, files in self._table("session").items()
            for name, stat in files.items()
        }

    @cached_property
    def _messages(self) -> dict[str, dict[str, _Stat]]:
        return self._table("message")

    @cached_property
    def _parts(self) -> dict[str, dict[str, _Stat]]:
        return self._table("part")

    def _table(self, table: str) -> dict[str, dict[str, _Stat]]:
        """The files of a table with their stats, by the folder that they are in."""
        return {folder: _rows(files) for folder, files in sorted(self._listed(table))}

    def _listed(self, table: str) -> list[tuple[str, list[_File]]]:
        """The files of a table as the disk lists them; asked for anew where nothing changed, too.

        A sweep that finds nothing new spends its time here, so nothing is sorted or renamed.
        """
        if (listed := self._lists.get(table)) is None:
            folders = [
                folder.name
                for folder in _entries(f"{self._path}/{table}")
                if folder.is_dir(follow_symlinks=False)
            ]
            found = ((folder, _list(f"{self._path}/{table}/{folder}")) for folder in folders)
            listed = self._lists[table] = [(folder, files) for folder, files in found if files]
        return listed


def _files(folder: str) -> dict[str, _Stat]:
    """The rows of a folder with their stats, by name."""
    return _rows(_list(folder))


def _rows(files: list[_File]) -> dict[str, _Stat]:
    rows = ((name.removesuffix(_JSON), stat) for name, *stat in files)
    return {name: (inode, size, mtime_ns) for name, (inode, size, mtime_ns) in sorted(rows)}


def _list(folder: str) -> list[_File]:
    """The rows of a folder as files with their stats, in the order of the disk; no others."""
    files: list[_File] = []
    try:
        # Entries of an open folder are stat'ed relative to it: no walk down the path for each.
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return files
    try:
        with os.scandir(descriptor) as scan:
            for file in scan:
                if file.name.endswith(_JSON) and file.is_file(follow_symlinks=False):
                    try:
                        status = file.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue  # deleted since it was listed
                    files.append((file.name, status.st_ino, status.st_size, status.st_mtime_ns))
    finally:
        os.close(descriptor)
    return files


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as scan:
            return list(scan)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _created(data: bytes) -> int:
    message = decoded(data, MessageInfo) if data else None
    return (message.time.created or 0) if message else 0
