"""Read a compressed part as if it were plain."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from zstandard import ZstdDecompressor, ZstdError

from helix_tui.capture.tail import CHUNK, EDGE, MAX_LINE

if TYPE_CHECKING:
    from zstandard import ZstdDecompressionObj

# Nothing tells how long the plain text is before it has been read.
UNKNOWN_SIZE = 1 << 62
# Compressed bytes taken at once: few, since they may say no more than that something repeats.
_STEP = 1 << 12
# How far back `peek` may look: no line reaches further back.
_BEHIND = MAX_LINE + 2 * CHUNK


class ZstdBytes:
    """The plain bytes of a zstd file, from front to back with flat memory.

    Offsets are those of the plain text, so that a cursor outlives the compression.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = UNKNOWN_SIZE
        self.fault: str | None = None
        self._begin()

    def _begin(self) -> None:
        self._file.seek(0)
        self._frame: ZstdDecompressionObj | None = None
        self._unread = b""
        # Plain bytes that nobody has asked for yet.
        self._ready = bytearray()
        self._at = 0
        self._head = b""
        # What was read since the last look behind: `peek` may be asked for some of it.
        self._recent = bytearray()

    def seek(self, offset: int) -> None:
        """Go forward by reading, back by beginning anew."""
        if offset < self._at:
            self._begin()
        while self._at < offset and self.read(min(CHUNK, offset - self._at)):
            del self._recent[:-EDGE]

    def read(self, count: int) -> bytes:
        """The next bytes; damaged or missing data ends the part, and `fault` says so."""
        try:
            while len(self._ready) < count and self._decompress():
                pass
        except ZstdError as error:
            self.fault = f"cannot be decompressed: {error}"
        data = bytes(self._ready[:count])
        del self._ready[:count]
        self._at += len(data)
        self._head += data[: EDGE - len(self._head)]
        self._recent += data
        del self._recent[:-_BEHIND]
        return data

    def _decompress(self) -> bool:
        """Decompress some more bytes; false at the end of the file."""
        compressed = self._unread or self._file.read(_STEP)
        if not compressed:
            if self._frame is not None:
                self.fault = "cannot be decompressed: its end is missing"
            return False
        if self._frame is None:
            self._frame = ZstdDecompressor().decompressobj()
        self._ready += self._frame.decompress(compressed)
        self._unread = b""
        if self._frame.eof:
            self._unread, self._frame = self._frame.unused_data, None
        return True

    def peek(self, count: int, offset: int) -> bytes:
        """Bytes at the beginning, or before the current offset; empty where they are gone."""
        end = offset + count
        if end > self._at:
            self.seek(end)
        if end <= len(self._head):
            return self._head[offset:end]
        recent_start = self._at - len(self._recent)
        if offset < recent_start:
            return b""
        del self._recent[: offset - recent_start]
        return bytes(self._recent[:count])
