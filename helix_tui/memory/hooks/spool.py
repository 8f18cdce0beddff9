"""The spool: what agents' hooks reported, line by line, until a sweep has used it.

A hook appends under the file's lock, or writes its line to a file beside it while the lock is held.
Whoever removes lines replaces the file, under the same lock.
"""

from __future__ import annotations

import fcntl
import logging
import os
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from helix_tui.errors import StoreBusyError
from helix_tui.files.durable import FILE_MODE, remove_durably, told, write_atomically
from helix_tui.files.regular import read_regular
from helix_tui.hook import LATE
from helix_tui.schema.memory import SpoolLine

log = logging.getLogger(__name__)
_SECONDS_TO_WAIT = 10.0
_SECONDS_BETWEEN_TRIES = 0.005
_SECONDS_UNTIL_ABANDONED = 60.0
_decode = msgspec.json.Decoder(SpoolLine).decode


class _SpoolRow(NamedTuple):
    """A line as it is in a file; `line` is None where it cannot be read."""

    raw: bytes
    line: SpoolLine | None


class Spool:
    """One store's spool; any number of processes may append, read and drop at once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[SpoolLine]:
        """The lines that wait, in the order of arrival, without those that cannot be read."""
        with told(self.path), self._locked() as files:
            rows = [row for file in (*files, *self._late()) for row in _rows(file)]
        damaged = sum(row.line is None for row in rows)
        if damaged:
            log.warning("%s holds %d lines that cannot be read", self.path, damaged)
        lines = dict.fromkeys(row.line for row in rows if row.line is not None)
        return list(lines)

    def count(self) -> int:
        """How many events wait."""
        return len(self.read())

    def drop(self, lines: Collection[SpoolLine]) -> None:
        """Remove lines that were dealt with; others, and newer ones, stay.

        Unreadable lines move to a file beside the spool, so that they are not reported each time.
        """
        handled = set(lines)
        with told(self.path), self._locked() as files:
            rows = [row for file in files for row in _rows(file)]
            damaged = [row.raw for row in rows if row.line is None]
            remaining = [
                row.raw for row in rows if row.line is not None and row.line not in handled
            ]
            if damaged:
                self._set_aside(damaged)
            if len(remaining) < len(rows):
                self._replace(remaining)
            for late in self._late():
                if _is_done(late, handled):
                    remove_durably(late, is_folder_synced=False)

    def _replace(self, remaining: list[bytes]) -> None:
        if remaining:
            write_atomically(self.path, b"".join(raw + b"\n" for raw in remaining), FILE_MODE)
        else:
            remove_durably(self.path)

    def _set_aside(self, damaged: list[bytes]) -> None:
        """Copy lines before they leave the spool: after a crash they may be in both files."""
        aside = self.path.with_name(f"{self.path.name}.damaged")
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        with os.fdopen(os.open(aside, flags, FILE_MODE), "wb") as file:
            file.write(b"".join(raw + b"\n" for raw in damaged))
            file.flush()
            os.fsync(file.fileno())

    def _late(self) -> list[Path]:
        """The files of hooks that did not get the lock, in the order of their times."""
        prefix = f"{self.path.name}.{LATE}"
        with suppress(FileNotFoundError), os.scandir(self.path.parent) as entries:
            return sorted(
                self.path.parent / entry.name for entry in entries if entry.name.startswith(prefix)
            )
        return []

    @contextmanager
    def _locked(self) -> Iterator[list[Path]]:
        """Lock the spool's file; yields it as a list, empty where there is no file."""
        deadline = time.monotonic() + _SECONDS_TO_WAIT
        while True:
            try:
                descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            except FileNotFoundError:
                yield []
                return
            try:
                self._wait(descriptor, deadline)
                if self._is_still(descriptor):
                    yield [self.path]
                    return
            finally:
                os.close(descriptor)

    def _wait(self, descriptor: int, deadline: float) -> None:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise StoreBusyError(
                        f"Another process holds {self.path}.",
                        "Wait until it is done and try again; nothing was changed.",
                    ) from None
                time.sleep(_SECONDS_BETWEEN_TRIES)
            else:
                return

    def _is_still(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(self.path.stat(), os.fstat(descriptor))
        except FileNotFoundError:
            return False


def _rows(file: Path) -> list[_SpoolRow]:
    try:
        content = read_regular(file)
    except FileNotFoundError:
        return []
    return [_SpoolRow(raw, _line(raw)) for raw in content.split(b"\n") if raw.strip()]


def _line(raw: bytes) -> SpoolLine | None:
    try:
        return _decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _is_done(late: Path, handled: set[SpoolLine]) -> bool:
    """Whether the one line of a late file was dealt with, or will never be written."""
    rows = _rows(late)
    if rows and all(row.line is not None for row in rows):
        return all(row.line in handled for row in rows)
    try:
        return time.time() - late.stat().st_mtime > _SECONDS_UNTIL_ABANDONED
    except FileNotFoundError:
        return False
