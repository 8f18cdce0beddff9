"""Packs: one append-only file per session, of compressed frames of events.

`docs/store.md` describes the format. A pack is longer than its session's `pack_bytes` only after
a crash; whatever lies behind that length is cut off before the next frame is appended.
"""

from __future__ import annotations

import os
import struct
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from helix_tui.errors import StoreError
from helix_tui.schema import Frame, StoredEvent
from helix_tui.store.frames import decode_frame
from helix_tui.store.layout import FILE_MODE, FOLDER_MODE
from helix_tui.text.hashing import hash64

MAGIC = b"HELIXPK1"
_HEADER_LENGTH = struct.Struct("<I")
# compressed length, plain size, checksum of the compressed bytes
FRAME_HEADER = struct.Struct("<IIq")
# From here on one sync of the file system is cheaper than one per file.
_MANY_FILES = 16
_LONGEST_HEADER = 1 << 16
# What decoded frames may hold, as they lie in the pack; decoded it is two to three times that.
# Files that were written at the same time take turns, and each has a frame of its own.
_AT_HAND = 24 << 20


class PackHeader(msgspec.Struct, frozen=True):
    """What a pack says of itself, so that it can be read without the database."""

    id: str
    flavor: str
    native_id: str
    parent: str | None


class FramePlace(NamedTuple):
    """Where a frame lies in its pack."""

    offset: int
    length: int


class FrameRow(NamedTuple):
    """What the database knows of a frame."""

    offset: int
    length: int
    size: int
    checksum: int


class SoundFrame(NamedTuple):
    """A frame that is whole."""

    offset: int
    payload: bytes
    size: int
    checksum: int


class PackDamagedError(StoreError):
    """A pack does not hold what the database says it holds."""


class PackAppender:
    """Appends frames to the packs of one transaction and syncs them together."""

    def __init__(self, packs: Path) -> None:
        self._packs = packs
        self._written: list[Path] = []
        self._folders: set[Path] = set()

    def append(
        self, path: Path, committed: int, header: PackHeader, frames: list[Frame]
    ) -> tuple[list[FramePlace], int]:
        """Writes frames behind what is committed; returns their places and the new length."""
        if committed == 0 and path.parent not in self._folders:
            path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            self._folders.add(path.parent)
        pieces: list[bytes] = []
        at = committed
        if committed == 0:
            encoded = msgspec.msgpack.encode(header)
            pieces += [MAGIC, _HEADER_LENGTH.pack(len(encoded)), encoded]
            at += sum(map(len, pieces))
        places: list[FramePlace] = []
        for frame in frames:
            length = len(frame.payload)
            pieces += [FRAME_HEADER.pack(length, frame.size, frame.checksum), frame.payload]
            places.append(FramePlace(at, length))
            at += FRAME_HEADER.size + length
        self._written.append(path)
        _write_behind(path, committed, b"".join(pieces))
        return places, at

    def sync(self) -> None:
        """Makes everything appended durable; only then may rows point to it."""
        if len(self._written) < _MANY_FILES or not _sync_file_system(self._packs):
            for path in [*self._written, *self._folders]:
                _sync(path)
            if self._folders:
                _sync(self._packs)
        self._written.clear()
        self._folders.clear()


class _Decoded(NamedTuple):
    """A frame's events, and what they take as they lie in it."""

    size: int
    events: list[StoredEvent]


class PackReader:
    """Reads frames of one pack, those decoded at hand that were asked for last."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: BinaryIO | None = None
        self._frames: OrderedDict[int, _Decoded] = OrderedDict()
        self._size = 0

    def hold(self) -> None:
        """Keeps the pack open: what is unlinked meanwhile can still be read."""
        self._held = self._open()

    def close(self) -> None:
        """Lets the pack go."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def prove(self, places: Iterable[FramePlace]) -> None:
        """Raises PackDamagedError unless every frame is there, whole and unchanged."""
        with self._opened() as file:
            for place in places:
                prove_frame(file.fileno(), place)

    def events(self, place: FramePlace) -> list[StoredEvent]:
        """The events of a frame."""
        found = self._frames.get(place.offset)
        if found is not None:
            self._frames.move_to_end(place.offset)
            return found.events
        with self._opened() as file:
            payload, size = prove_frame(file.fileno(), place)
        found = self._frames[place.offset] = _Decoded(size, decode_frame(payload, size))
        self._size += size
        while self._size > _AT_HAND and len(self._frames) > 1:
            self.drop(next(iter(self._frames)))
        return found.events

    def drop(self, offset: int) -> None:
        """Lets a frame go."""
        found = self._frames.pop(offset, None)
        self._size -= found.size if found else 0

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        if self._held is not None:
            yield self._held
        else:
            with self._open() as file:
                yield file

    def _open(self) -> BinaryIO:
        try:
            return self._path.open("rb")
        except FileNotFoundError as error:
            raise PackDamagedError(f"the pack {self._path} is gone") from error


def holds(path: Path, committed: int) -> bool:
    """Whether a pack is there and as long as what was committed to it."""
    try:
        return committed == 0 or path.stat().st_size >= committed
    except FileNotFoundError:
        return False


def prove_frame(descriptor: int, place: FramePlace) -> tuple[bytes, int]:
    """A frame's payload and plain size, once its length and checksum are proved."""
    length = FRAME_HEADER.size + place.length
    found = os.pread(descriptor, length, place.offset)
    if len(found) < length:
        raise PackDamagedError(f"the pack ends within the frame at {place.offset}")
    compressed, size, checksum = FRAME_HEADER.unpack_from(found)
    payload = found[FRAME_HEADER.size :]
    if compressed != place.length or hash64(payload) != checksum:
        raise PackDamagedError(f"the frame at {place.offset} does not match its checksum")
    return payload, size


def read_pack(
    path: Path, known: PackHeader | None = None, rows: Iterable[FrameRow] = ()
) -> tuple[PackHeader | None, list[SoundFrame]]:
    """A pack by itself: what it says of itself, and its sound frames.

    Where it no longer says it, what is known from elsewhere holds.
    """
    content = path.read_bytes()
    start = len(MAGIC) + _HEADER_LENGTH.size
    if len(content) < start:
        return known, []
    (length,) = _HEADER_LENGTH.unpack_from(content, len(MAGIC))
    header = _header(content[start : start + length]) if length <= _LONGEST_HEADER else None
    if known is not None:
        # A garbled length leaves the one that the header must have had.
        length = length if header is not None else len(msgspec.msgpack.encode(known))
        header = known
    frames = {frame.offset: frame for frame in _sound_frames(content, start + length)}
    for row in rows:
        payload = content[row.offset + FRAME_HEADER.size :][: row.length]
        if row.offset not in frames and hash64(payload) == row.checksum:
            frames[row.offset] = SoundFrame(row.offset, payload, row.size, row.checksum)
    return header, [frames[offset] for offset in sorted(frames)]


def _header(encoded: bytes) -> PackHeader | None:
    try:
        return msgspec.msgpack.decode(encoded, type=PackHeader)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def says_who_it_is(path: Path, session_id: str) -> bool:
    """Whether a pack begins as the pack of that session must."""
    with path.open("rb") as file:
        content = file.read(_LONGEST_HEADER)
    start = len(MAGIC) + _HEADER_LENGTH.size
    if not content.startswith(MAGIC) or len(content) < start:
        return False
    (length,) = _HEADER_LENGTH.unpack_from(content, len(MAGIC))
    header = _header(content[start : start + length])
    return header is not None and header.id == session_id


def _sound_frames(content: bytes, at: int) -> Iterator[SoundFrame]:
    """Each frame that is whole, one behind the other."""
    while at + FRAME_HEADER.size <= len(content):
        length, size, checksum = FRAME_HEADER.unpack_from(content, at)
        payload = content[at + FRAME_HEADER.size :][:length]
        if len(payload) == length and hash64(payload) == checksum:
            yield SoundFrame(at, payload, size, checksum)
        at += FRAME_HEADER.size + length


def pack_files(folder: Path) -> Iterator[Path]:
    """Every pack that lies in the folder, known to the database or not."""
    for path in folder.glob("[0-9]*/*.pack"):
        if path.stem.isdecimal() and path.is_file():
            yield path


def _write_behind(path: Path, committed: int, data: bytes) -> None:
    """Puts data behind the committed length, over whatever a crash left there."""
    create = 0 if committed else os.O_CREAT
    descriptor = os.open(path, os.O_RDWR | create | os.O_CLOEXEC, FILE_MODE)
    try:
        length = os.fstat(descriptor).st_size
        if length < committed:
            raise PackDamagedError(f"{path} is shorter than the {committed} bytes committed to it")
        if length > committed:
            os.ftruncate(descriptor, committed)
        view = memoryview(data)
        while view:
            written = os.pwrite(descriptor, view, committed)
            view, committed = view[written:], committed + written
    finally:
        os.close(descriptor)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_file_system(folder: Path) -> bool:
    """Syncs the whole file system where the system can: one call for any number of files."""
    import ctypes  # a sweep that finds nothing new syncs nothing

    sync = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if sync is None:
        return False
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if sync(descriptor) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
    finally:
        os.close(descriptor)
    return True
