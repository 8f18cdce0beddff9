"""An append-only file of JSON lines, each with a checksum, that outlives crashes and full disks."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout
from xxhash import xxh3_64_hexdigest

from helix_tui.errors import OutOfSpaceError, StoreBusyError, StoreError
from helix_tui.regular import open_regular, read_regular
from helix_tui.store.durable import FULL, make_folder, sync_folder, write_atomically
from helix_tui.store.layout import FILE_MODE

SECONDS_TO_WAIT = 10.0
_SECONDS_BETWEEN_TRIES = 0.02
_SUM_FIELD = b',"sum":"'
_SUM_LENGTH = len(_SUM_FIELD) + 16 + len(b'"}')
_CHUNK = 1 << 16


class SoundLine(NamedTuple):
    """A line whose checksum is right: its number in the file and its JSON object."""

    number: int
    data: bytes


class DamagedLine(NamedTuple):
    """A line that cannot be read and is passed over; it stays in the file as it is."""

    number: int
    reason: str


class LedgerRead(NamedTuple):
    """What a file holds; a torn tail, which was never acknowledged, is in neither list."""

    lines: list[SoundLine]
    damaged: list[DamagedLine]


class Ledger:
    """One such file. Anybody may read it at any time; who writes holds its lock."""

    def __init__(self, path: Path, holds: str = "lines") -> None:
        self.path = path
        self._holds = holds
        self._is_locked = False

    def read(self) -> LedgerRead:
        """The sound lines in order, and which others are there."""
        content = self._content()
        found = _parse(content)
        # A writer that takes a torn tail away while it is read looks like damage; damage stays.
        while found.damaged and (again := self._content()) != content:
            content, found = again, _parse(again)
        return found

    def last(self) -> tuple[bytes | None, int]:
        """The last sound line, and how many damaged ones stand behind it."""
        with self._translated():
            if not self.path.exists():
                return None, 0
            with open_regular(self.path) as file:
                end = file.seek(0, os.SEEK_END)
                size = min(_CHUNK, end)
                while True:
                    file.seek(end - size)
                    found = _parse(file.read(size))
                    # The first of the lines in reach may be the end of a longer one.
                    first = 1 if size == end else 2
                    if found.lines and found.lines[-1].number >= first:
                        number, data = found.lines[-1]
                        return data, sum(line.number > number for line in found.damaged)
                    if size == end:
                        return None, len(found.damaged)
                    size = min(size * 4, end)

    @contextmanager
    def locked(self, seconds: float = SECONDS_TO_WAIT) -> Iterator[None]:
        """Holds the file for writing, once whoever has it is done."""
        lock_path = self.path.with_name(f"{self.path.name}.lock")
        # A lock of its own for each call: threads that share a ledger wait for one another, too.
        lock = FileLock(lock_path, mode=FILE_MODE, thread_local=False)
        with self._translated():
            make_folder(self.path.parent)
            try:
                lock.acquire(timeout=seconds, poll_interval=_SECONDS_BETWEEN_TRIES)
            except Timeout as error:
                raise StoreBusyError(
                    f"{_holder(lock_path)} is writing {self._holds} to {self.path}.",
                    "Wait until it is done and try again; nothing was changed.",
                ) from error
        self._is_locked = True
        try:
            yield
        finally:
            self._is_locked = False
            lock.release()

    def append(self, lines: Iterable[bytes]) -> None:
        """Puts JSON objects behind the others, all or none; when it returns they are durable."""
        self._assert_locked()
        data = b"".join(sealed(line) + b"\n" for line in lines)
        if not data:
            return
        with self._translated():
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
            try:
                _append(descriptor, data, self.path.parent)
            finally:
                os.close(descriptor)

    def rewrite(self, lines: Iterable[bytes]) -> None:
        """Replaces the sound lines by others, in one step; damaged ones stay, before them.

        A line that is given as it was read is written as it was read.
        """
        self._assert_locked()
        content = self._content()
        rows = content.split(b"\n")
        kept = [rows[line.number - 1] for line in _parse(content).damaged]
        data = b"".join(line + b"\n" for line in [*kept, *map(sealed, lines)])
        with self._translated():
            write_atomically(Path(os.path.realpath(self.path)), data, FILE_MODE)

    def replace(self, changed: Mapping[int, bytes], added: Iterable[bytes]) -> None:
        """Puts others in the place of sound lines, by number, and some behind, all in one step.

        All else stays where it is, to the byte; a torn tail, which was never acknowledged, goes.
        """
        self._assert_locked()
        rows = self._content().split(b"\n")
        tail = rows.pop()
        if is_sound(tail):
            rows.append(tail)
        for number, line in changed.items():
            rows[number - 1] = sealed(line)
        data = b"".join(row + b"\n" for row in [*rows, *map(sealed, added)])
        with self._translated():
            write_atomically(Path(os.path.realpath(self.path)), data, FILE_MODE)

    def _content(self) -> bytes:
        with self._translated():
            try:
                return read_regular(self.path)
            except FileNotFoundError:
                return b""

    def _assert_locked(self) -> None:
        if not self._is_locked:
            raise RuntimeError(f"{self.path} is written without its lock")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turns what the disk may say into one plain sentence."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            if error.errno in FULL:
                raise OutOfSpaceError(
                    f"There is no room to write {self._holds} to {self.path}: {reason}.",
                    "Free some space and try again; what was there before is unharmed.",
                ) from error
            raise StoreError(
                f"{self.path}, which holds {self._holds}, cannot be used: {reason}.",
                "Make the file and its folder readable and writable for you, and try again.",
            ) from error


def sealed(line: bytes) -> bytes:
    """A JSON object with its checksum as the last field; one that has it stays as it is."""
    if is_sound(line):
        return line
    if not (line.startswith(b"{") and line.endswith(b"}") and len(line) > len(b"{}")):
        raise ValueError("a line of a ledger is a JSON object with at least one field")
    if b"\n" in line:
        raise ValueError("a line of a ledger has no line break in it")
    body = line[:-1]
    return b'%b%b%b"}' % (body, _SUM_FIELD, xxh3_64_hexdigest(body).encode())


def is_sound(line: bytes) -> bool:
    """Whether a line ends with the checksum of what stands before it."""
    field = line[-_SUM_LENGTH:]
    return field.startswith(_SUM_FIELD) and field == b'%b%b"}' % (
        _SUM_FIELD,
        xxh3_64_hexdigest(memoryview(line)[:-_SUM_LENGTH]).encode(),
    )


def _parse(content: bytes) -> LedgerRead:
    found = LedgerRead([], [])
    rows = content.split(b"\n")
    # Only what is behind the last line break can be torn, or still be on its way: it counts as
    # soon as it is whole. A line that has its break may have been acknowledged, whatever it is.
    tail = rows.pop()
    for number, row in enumerate(rows, start=1):
        if is_sound(row):
            found.lines.append(SoundLine(number, row))
        elif row:
            found.damaged.append(DamagedLine(number, _what_is_wrong(row)))
    if is_sound(tail):
        found.lines.append(SoundLine(len(rows) + 1, tail))
    return found


def _what_is_wrong(row: bytes) -> str:
    if b"\0" in row:
        return "a part of it was never written"
    if not row[-_SUM_LENGTH:].startswith(_SUM_FIELD):
        return "it has no checksum at its end"
    return "its checksum does not fit"


def _append(descriptor: int, data: bytes, folder: Path) -> None:
    length, tail = _tail(descriptor)
    if length == 0:
        # Before the first byte: a file that has bytes in it is known to be found again.
        sync_folder(folder)
    if is_sound(tail):
        data = b"\n" + data
    elif tail:
        length -= len(tail)
        os.ftruncate(descriptor, length)
    try:
        at, view = length, memoryview(data)
        while view:
            written = os.pwrite(descriptor, view, at)
            at, view = at + written, view[written:]
        os.fsync(descriptor)
    except BaseException:
        # What is not acknowledged must not stand there; of two errors the first one is told.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, length)
            os.fsync(descriptor)
        raise


def _tail(descriptor: int) -> tuple[int, bytes]:
    """How long a file is, and what stands behind its last line break."""
    length = at = os.fstat(descriptor).st_size
    tail = b""
    while at > 0 and b"\n" not in tail:
        size = min(_CHUNK, at)
        at -= size
        tail = os.pread(descriptor, size, at) + tail
    return length, tail[tail.rfind(b"\n") + 1 :]


def _holder(lock_path: Path) -> str:
    """Who has a lock, as far as the system tells."""
    try:
        inode = str(lock_path.stat().st_ino)
        rows = [row.split() for row in Path("/proc/locks").read_text().splitlines()]
    except OSError:
        rows = []
    for row in rows:
        if len(row) > 5 and row[1] == "FLOCK" and row[5].rpartition(":")[2] == inode:
            return f"Another process ({row[4]})"
    return "Another process"
