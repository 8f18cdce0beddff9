"""Packs: one append-only file per session, of compressed frames of events.

`docs/store.md` describes the format. A pack is longer than its session's `pack_bytes` after a
crash, or where the database is older. Bytes beyond that length, and a pack that is not the one
its row describes, are set aside before anything is written or unlinked.
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
from helix_tui.files.durable import FILE_MODE, FOLDER_MODE
from helix_tui.schema import Frame, StoredEvent
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.aside import copy_aside, move_aside
from helix_tui.store.packs.frames import decode_frame
from helix_tui.text.hashing import hash64

MAGIC = b"HELIXPK1"
_HEADER_LENGTH = struct.Struct("<I")
# compressed length, plain size, checksum of the compressed bytes
FRAME_HEADER = struct.Struct("<IIq")
# From this many files on, one sync of the file system is cheaper than one per file.
_MANY_FILES = 16
_LONGEST_HEADER = 1 << 16
# Nearly every header is within the first block.
_USUAL_HEADER = 4096
# Plain bytes of the frames that are kept decoded; decoded they take two to three times as much.
# Events of files that were written at the same time alternate, and each has its own frame.
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


class StoredFrame(NamedTuple):
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


class PackOwner(NamedTuple):
    """What the database knows of a session's pack: its length, and the last frame within it."""

    key: int
    id: str
    committed: int
    last: StoredFrame | None


class PackDamagedError(StoreError):
    """A pack does not hold what the database says it holds."""


class _UnownedBytesError(Exception):
    """There are bytes where frames are to be appended."""


class PackAppender:
    """Append frames to the packs of one transaction and sync them together."""

    def __init__(self, layout: StoreLayout) -> None:
        self._layout = layout
        self._packs = layout.packs
        self._written: list[Path] = []
        # Packs in which all bytes beyond their rows are this appender's own.
        self.touched: list[Path] = []
        self._folders: set[Path] = set()

    def append(
        self, path: Path, committed: int, header: PackHeader, frames: list[Frame]
    ) -> tuple[list[FramePlace], int]:
        """Write frames behind the committed length; return their places and the new length."""
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
        data = b"".join(pieces)
        self.touched.append(path)
        try:
            _write_behind(path, committed, data)
        except _UnownedBytesError:
            self.touched.pop()
            put_aside(self._layout, path, committed)
            self.touched.append(path)
            _write_behind(path, committed, data)
        return places, at

    def sync(self) -> None:
        """Make everything appended durable; only then may rows point to it."""
        if len(self._written) < _MANY_FILES or not _sync_file_system(self._packs):
            for path in [*self._written, *self._folders]:
                _sync(path)
            if self._folders:
                _sync(self._packs)
        self._written.clear()
        self._folders.clear()


class _Decoded(NamedTuple):
    """A frame's events, and their plain size in bytes."""

    size: int
    events: list[StoredEvent]


class PackReader:
    """Read frames of one pack, with a cache of the latest decoded ones."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: BinaryIO | None = None
        self._frames: OrderedDict[int, _Decoded] = OrderedDict()
        self._size = 0

    def hold(self) -> None:
        """Keep the pack open, so that it can still be read after it is unlinked."""
        self._held = self._open()

    def close(self) -> None:
        """Close the pack."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def prove(self, places: Iterable[FramePlace]) -> None:
        """Raise PackDamagedError unless every frame is there, whole and unchanged."""
        with self._opened() as file:
            for place in places:
                prove_frame(file.fileno(), place)

    def events(self, place: FramePlace) -> list[StoredEvent]:
        """The events of a frame."""
        decoded = self._frames.get(place.offset)
        if decoded is not None:
            self._frames.move_to_end(place.offset)
            return decoded.events
        with self._opened() as file:
            payload, size = prove_frame(file.fileno(), place)
        decoded = self._frames[place.offset] = _Decoded(size, decode_frame(payload, size))
        self._size += size
        while self._size > _AT_HAND and len(self._frames) > 1:
            self.drop(next(iter(self._frames)))
        return decoded.events

    def drop(self, offset: int) -> None:
        """Drop a frame from the cache."""
        decoded = self._frames.pop(offset, None)
        self._size -= decoded.size if decoded else 0

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


def is_pack_of(path: Path, owner: PackOwner) -> bool:
    """Whether a pack is the one that a row describes, and holds what was committed to it.

    Its header names the session, and its last committed frame is the one in the database: another
    pack of the same session has another.
    """
    if owner.committed == 0:
        return True
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        if os.fstat(descriptor).st_size < owner.committed or owner.last is None:
            return False
        header, _ = _header_of(descriptor)
        if header is None or header.id != owner.id:
            return False
        frame_header = os.pread(descriptor, FRAME_HEADER.size, owner.last.offset)
        return frame_header == FRAME_HEADER.pack(*owner.last[1:])
    finally:
        os.close(descriptor)


def put_aside(layout: StoreLayout, path: Path, committed: int) -> None:
    """Set aside what no row owns: the whole pack, or its bytes beyond the committed length.

    An empty file, or an end of zeros, is only what a power cut leaves, and is dropped.
    """
    if committed == 0:
        if is_blank(path, 0):
            path.unlink()
        else:
            move_aside(layout, path)
        return
    if not is_blank(path, committed):
        with path.open("rb") as file:
            _, header_end = _header_of(file.fileno())
        copy_aside(layout, path, [(0, header_end), (committed, path.stat().st_size)])
    os.truncate(path, committed)


def is_blank(path: Path, start: int) -> bool:
    """Whether there is nothing but zeros, if anything, from `start` on."""
    with path.open("rb") as file:
        file.seek(start)
        while piece := file.read(1 << 20):
            if piece.count(0) < len(piece):
                return False
    return True


def discard_pack(layout: StoreLayout, owner: PackOwner) -> None:
    """Unlink a pack whose rows are gone for good; one with other bytes is set aside."""
    path = layout.pack(owner.key)
    if not path.exists():
        return
    if is_pack_of(path, owner) and path.stat().st_size == owner.committed:
        path.unlink()
    else:
        move_aside(layout, path)


def prove_frame(descriptor: int, place: FramePlace) -> tuple[bytes, int]:
    """A frame's payload and plain size, after checking its length and checksum."""
    length = FRAME_HEADER.size + place.length
    content = os.pread(descriptor, length, place.offset)
    if len(content) < length:
        raise PackDamagedError(f"the pack ends within the frame at {place.offset}")
    compressed, size, checksum = FRAME_HEADER.unpack_from(content)
    payload = content[FRAME_HEADER.size :]
    if compressed != place.length or hash64(payload) != checksum:
        raise PackDamagedError(f"the frame at {place.offset} does not match its checksum")
    return payload, size


def read_pack(
    path: Path, fallback: PackHeader | None = None, rows: Iterable[StoredFrame] = ()
) -> tuple[PackHeader | None, list[SoundFrame]]:
    """Read a pack without the database: its header, and its sound frames.

    Where its header is damaged, `fallback` takes its place; `rows` help to find frames.
    """
    content = path.read_bytes()
    start = len(MAGIC) + _HEADER_LENGTH.size
    if len(content) < start:
        return fallback, []
    (length,) = _HEADER_LENGTH.unpack_from(content, len(MAGIC))
    header = _header(content[start : start + length]) if length <= _LONGEST_HEADER else None
    if fallback is not None:
        # A garbled length leaves the one that the header must have had.
        length = length if header is not None else len(msgspec.msgpack.encode(fallback))
        header = fallback
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


def header_in(path: Path) -> PackHeader | None:
    """A pack's header, if it can be read."""
    with path.open("rb") as file:
        return _header_of(file.fileno())[0]


def _header_of(descriptor: int) -> tuple[PackHeader | None, int]:
    """A pack's header, and where it ends."""
    content = os.pread(descriptor, _USUAL_HEADER, 0)
    start = len(MAGIC) + _HEADER_LENGTH.size
    if not content.startswith(MAGIC) or len(content) < start:
        return None, 0
    (length,) = _HEADER_LENGTH.unpack_from(content, len(MAGIC))
    if length > _LONGEST_HEADER:
        return None, 0
    if start + length > len(content):
        content = os.pread(descriptor, start + length, 0)
    return _header(content[start : start + length]), start + length


def read_wholly(path: Path) -> tuple[PackHeader | None, list[SoundFrame], bool]:
    """Read a pack without the database, and tell whether it holds only sound frames."""
    header, frames = read_pack(path)
    with path.open("rb") as file:
        _, end = _header_of(file.fileno())
    is_whole = header is not None
    for frame in frames:
        is_whole = is_whole and frame.offset == end
        end = frame.offset + FRAME_HEADER.size + len(frame.payload)
    return header, frames, is_whole and is_blank(path, end)


def cut_torn_end(path: Path) -> None:
    """Cut off a frame that a crash left incomplete; unlink a pack without a complete one."""
    _, frames = read_pack(path)
    with path.open("rb") as file:
        header, end = _header_of(file.fileno())
    if frames:
        end = frames[-1].offset + FRAME_HEADER.size + len(frames[-1].payload)
        os.truncate(path, end)
    elif header is not None or path.stat().st_size < end:
        path.unlink()


def _sound_frames(content: bytes, at: int) -> Iterator[SoundFrame]:
    """Each complete frame, one after the other."""
    while at + FRAME_HEADER.size <= len(content):
        length, size, checksum = FRAME_HEADER.unpack_from(content, at)
        payload = content[at + FRAME_HEADER.size :][:length]
        if len(payload) == length and hash64(payload) == checksum:
            yield SoundFrame(at, payload, size, checksum)
        at += FRAME_HEADER.size + length


def pack_files(folder: Path) -> Iterator[Path]:
    """Every pack in the folder, known to the database or not."""
    for path in folder.glob("[0-9]*/*.pack"):
        if path.stem.isdecimal() and path.is_file():
            yield path


def _write_behind(path: Path, committed: int, data: bytes) -> None:
    """Write data behind the committed length; raise if there are bytes already."""
    create = 0 if committed else os.O_CREAT | os.O_EXCL
    try:
        descriptor = os.open(path, os.O_RDWR | create | os.O_CLOEXEC, FILE_MODE)
    except FileExistsError as error:
        raise _UnownedBytesError from error
    try:
        length = os.fstat(descriptor).st_size
        if length < committed:
            raise PackDamagedError(f"{path} is shorter than the {committed} bytes committed to it")
        if length > committed:
            raise _UnownedBytesError
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
    """Sync the whole file system where the system can: one call for any number of files."""
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
