"""Compression that any thread may use: a zstd context must not serve two threads at once."""

from __future__ import annotations

import threading

import zstandard


class Zstd(threading.local):
    """A pair of contexts for each thread: creating one costs as much as a small frame."""

    def __init__(self, level: int, *, has_checksum: bool = False) -> None:
        self._compressor = zstandard.ZstdCompressor(level=level, write_checksum=has_checksum)
        self._decompressor = zstandard.ZstdDecompressor()

    def compress(self, plain: bytes) -> bytes:
        """Compress bytes."""
        return self._compressor.compress(plain)

    def decompress(self, data: bytes, most: int) -> bytes:
        """Decompress to at most `most` bytes; raise zstandard.ZstdError if damaged."""
        return self._decompressor.decompress(data, max_output_size=most)
