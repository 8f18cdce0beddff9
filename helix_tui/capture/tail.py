"""Read what was appended to a part since its cursor, or all of it when it was rewritten."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple, Protocol

import msgspec

from helix_tui.capture.salvage import is_whole
from helix_tui.files.regular import open_regular
from helix_tui.schema import Cursor, FileStamp
from helix_tui.text.hashing import hash64

EDGE = 4096
CHUNK = 1 << 18
MAX_LINE = 64 << 20
COMPRESSED = ".zst"  # how the name ends of a part that is read decompressed


class LineChunk(NamedTuple):
    """Complete lines without their newlines, and where the first of them begins."""

    offset: int
    lines: list[bytes]
    end: int


class Oversized(NamedTuple):
    """A line too long to hold, which is skipped."""

    offset: int
    end: int


class PartBytes(Protocol):
    """The bytes of a part as the agent wrote them, plain or decompressed."""

    size: int
    fault: str | None

    def seek(self, offset: int) -> None:
        """Move to where reading begins."""

    def read(self, count: int) -> bytes:
        """The next bytes, fewer than asked for only at the end."""

    def peek(self, count: int, offset: int) -> bytes:
        """Bytes at the beginning, or shortly before the current offset."""


class PlainBytes:
    """The bytes of a file as it is."""

    fault: str | None = None

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self.size = size

    def seek(self, offset: int) -> None:
        """Move to where reading begins."""
        self._file.seek(offset)

    def read(self, count: int) -> bytes:
        """The next bytes."""
        return self._file.read(count)

    def peek(self, count: int, offset: int) -> bytes:
        """Bytes from anywhere, without moving."""
        return os.pread(self._file.fileno(), count, offset)


def stamp_of(status: os.stat_result) -> FileStamp:
    """The stamp by which discovery compares a file."""
    return FileStamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


@contextmanager
def open_readonly(path: str) -> Iterator[BinaryIO]:
    """Open a regular file of Tier 0; a link, pipe or device raises OSError instead of blocking."""
    with open_regular(path, follows_links=False, buffering=0) as file:
        yield file


def resume_offset(part: PartBytes, cursor: Cursor | None) -> int:
    """Where to continue: the cursor's offset if the bytes before it are unchanged, else 0."""
    if cursor is None or cursor.offset > part.size:
        return 0
    head = part.peek(cursor.head_length, 0)
    start = max(0, cursor.offset - EDGE)
    tail = part.peek(cursor.offset - start, start)
    is_same = hash64(head) == cursor.head_hash and hash64(tail) == cursor.tail_hash
    return cursor.offset if is_same else 0


def cursor_at(part: PartBytes, offset: int, stamp: FileStamp | None) -> Cursor:
    """A cursor at an offset that was consumed; without a stamp the part is looked at again."""
    head = part.peek(min(EDGE, offset), 0)
    start = max(0, offset - EDGE)
    tail = part.peek(offset - start, start)
    return Cursor(
        stamp,
        offset,
        len(head),
        hash64(head),
        hash64(tail),
    )


def spoiled(cursor: Cursor) -> Cursor:
    """A cursor that matches nothing: reading from it starts over, as with a rewritten file.

    The store moves the events of such a file to their current places, and has to see all of them.
    """
    return msgspec.structs.replace(cursor, head_hash=cursor.head_hash ^ 1)


def read_lines(part: PartBytes, offset: int) -> Iterator[LineChunk | Oversized]:
    """The lines from `offset` on; an incomplete last line is left for a later sweep."""
    part.seek(offset)
    size = part.size
    at = offset
    unfinished: list[bytes] = []
    unfinished_bytes = 0
    is_skipping = False
    start = offset
    while at < size:
        chunk = part.read(min(CHUNK, size - at))
        if not chunk:
            break  # truncated while being read: the next sweep sees another size
        at += len(chunk)
        newline = chunk.find(b"\n")
        if newline < 0:
            unfinished_bytes += len(chunk)
            is_skipping = is_skipping or unfinished_bytes > MAX_LINE
            if is_skipping:
                unfinished.clear()
            else:
                unfinished.append(chunk)
            continue
        lines = chunk.split(b"\n")
        if is_skipping or unfinished_bytes + newline > MAX_LINE:
            end = at - len(chunk) + newline + 1
            yield Oversized(start, end)
            del lines[0]
            start = end
        elif unfinished:
            # Only the first line is joined to what was held: the whole chunk would be copied.
            lines[0] = b"".join((*unfinished, lines[0]))
        is_skipping = False
        unfinished.clear()
        rest = lines.pop()
        unfinished_bytes = len(rest)
        if rest:
            unfinished.append(rest)
        if lines:
            end = at - len(rest)
            yield LineChunk(start, lines, end)
            start = end
    if is_skipping:
        yield Oversized(start, start)  # told now, passed over once its end is there
    elif unfinished:
        last = b"".join(unfinished)
        if is_whole(last):
            yield LineChunk(start, [last], start + len(last))
