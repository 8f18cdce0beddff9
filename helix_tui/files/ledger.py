"""An append-only file of JSON lines with checksums, which outlives crashes and full disks."""

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
from helix_tui.files.durable import FILE_MODE, FULL, make_folder, sync_folder, write_atomically
from helix_tui.files.regular import open_regular, read_regular

SECONDS_TO_WAIT = 10.0
_SECONDS_BETWEEN_TRIES = 0.02
_SUM_FIELD = b',"sum":"'
_SUM_LENGTH = len(_SUM_FIELD) + 16 + len(b'"}')
_CHUNK = 1 << 16


class SoundLine(NamedTuple):
    """A line with a correct checksum: its number in the file and its JSON object."""

    number: int
    data: bytes


class DamagedLine(NamedTuple):
    """A line that cannot be read and is skipped; it stays in the file as it is."""

    number: int
    reason: str


class LedgerRead(NamedTuple):
    """The content of a ledger; a torn tail, which was never acknowledged, is in neither list."""

    lines: list[SoundLine]
    damaged: list[DamagedLine]


class Ledger:
    """A ledger file. Anybody may read it at any time; a writer holds its lock."""

    def __init__(self, path: Path, holds: str = "lines") -> None:
        self.path = path
        self._holds = holds
        self._is_locked = False

    def end(self, size: int) -> bytes:
        """Its last bytes, whole lines or not; none where there is no file."""
        try:
            with open_regular(self.path) as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - size))
                return file.read()
        except FileNotFoundError:
            return b""

    def read(self) -> LedgerRead:
        """The sound lines in order, and the damaged ones."""
        content = self.content()
        result = parsed(content)
        # A writer that removes a torn tail meanwhile looks like damage; real damage stays.
        while result.damaged and (again := self.content()) != content:
            content, result = again, parsed(again)
        return result

    def last(self) -> tuple[bytes | None, int]:
        """The last sound line, and how many damaged ones are after it."""
        with self._translated():
            if not self.path.exists():
                return None, 0
            with open_regular(self.path) as file:
                end = file.seek(0, os.SEEK_END)
                size = min(_CHUNK, end)
                while True:
                    file.seek(end - size)
                    result = parsed(file.read(size))
                    # The first of the lines in reach may be the end of a longer one.
                    first = 1 if size == end else 2
                    if result.lines and result.lines[-1].number >= first:
                        number, data = result.lines[-1]
                        return data, sum(line.number > number for line in result.damaged)
                    if size == end:
                        return None, len(result.damaged)
                    size = min(size * 4, end)

    @contextmanager
    def locked(self, seconds: float = SECONDS_TO_WAIT) -> Iterator[None]:
        """Lock the file for writing; wait for another writer at most so many seconds."""
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
        """Append JSON objects, all or none, durably."""
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
        """Replace the sound lines by others, in one step; damaged ones stay, before them.

        A line that has its checksum already is written as it is.
        """
        self._assert_locked()
        content = self.content()
        rows = content.split(b"\n")
        damaged = [rows[line.number - 1] for line in parsed(content).damaged]
        data = b"".join(line + b"\n" for line in [*damaged, *map(sealed, lines)])
        with self._translated():
            write_atomically(Path(os.path.realpath(self.path)), data, FILE_MODE)

    def replace(self, changed: Mapping[int, bytes], added: Iterable[bytes]) -> None:
        """Replace sound lines by number and append others, all in one step.

        Everything else stays, to the byte, except a torn tail, which was never acknowledged.
        """
        self._assert_locked()
        rows = self.content().split(b"\n")
        tail = rows.pop()
        if is_sound(tail):
            rows.append(tail)
        for number, line in changed.items():
            rows[number - 1] = sealed(line)
        data = b"".join(row + b"\n" for row in [*rows, *map(sealed, added)])
        with self._translated():
            write_atomically(Path(os.path.realpath(self.path)), data, FILE_MODE)

    def content(self) -> bytes:
        """Every byte of it, for `parsed`; none where there is no file."""
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
        """Turn an error of the disk into one plain sentence."""
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
    """A JSON object with its checksum as the last field; a line that has one stays as it is."""
    if is_sound(line):
        return line
    if not (line.startswith(b"{") and line.endswith(b"}") and len(line) > len(b"{}")):
        raise ValueError("a line of a ledger is a JSON object with at least one field")
    if b"\n" in line:
        raise ValueError("a line of a ledger has no line break in it")
    body = line[:-1]
    return b'%b%b%b"}' % (body, _SUM_FIELD, xxh3_64_hexdigest(body).encode())


def is_sound(line: bytes) -> bool:
    """Whether a line ends with the checksum of what is before it."""
    field = line[-_SUM_LENGTH:]
    return field.startswith(_SUM_FIELD) and field == b'%b%b"}' % (
        _SUM_FIELD,
        xxh3_64_hexdigest(memoryview(line)[:-_SUM_LENGTH]).encode(),
    )


def parsed(content: bytes) -> LedgerRead:
    """What the bytes of a ledger say."""
    result = LedgerRead([], [])
    rows = content.split(b"\n")
    # Only what is after the last line break can be torn, or still being written: it counts as
    # soon as it is complete. A line with its break may have been acknowledged, whatever it holds.
    tail = rows.pop()
    for number, row in enumerate(rows, start=1):
        if is_sound(row):
            result.lines.append(SoundLine(number, row))
        elif row:
            result.damaged.append(DamagedLine(number, _what_is_wrong(row)))
    if is_sound(tail):
        result.lines.append(SoundLine(len(rows) + 1, tail))
    return result


def _what_is_wrong(row: bytes) -> str:
    if b"\0" in row:
        return "a part of it was never written"
    if not row[-_SUM_LENGTH:].startswith(_SUM_FIELD):
        return "it has no checksum at its end"
    return "its checksum does not fit"


def _append(descriptor: int, data: bytes, folder: Path) -> None:
    length, tail = _tail(descriptor)
    if length == 0:
        # Before the first byte: a file with content must be in its folder after a crash.
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
        # What is not acknowledged must not stay; of two errors the first one is raised.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, length)
            os.fsync(descriptor)
        raise


def _tail(descriptor: int) -> tuple[int, bytes]:
    """A file's length, and what is after its last line break."""
    length = at = os.fstat(descriptor).st_size
    tail = b""
    while at > 0 and b"\n" not in tail:
        size = min(_CHUNK, at)
        at -= size
        tail = os.pread(descriptor, size, at) + tail
    return length, tail[tail.rfind(b"\n") + 1 :]


def _holder(lock_path: Path) -> str:
    """The process that holds a lock, as far as the system tells."""
    try:
        inode = str(lock_path.stat().st_ino)
        rows = [row.split() for row in Path("/proc/locks").read_text().splitlines()]
    except OSError:
        rows = []
    for row in rows:
        if len(row) > 5 and row[1] == "FLOCK" and row[5].rpartition(":")[2] == inode:
            return f"Another process ({row[4]})"
    return "Another process"
