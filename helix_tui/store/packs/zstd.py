"""Compression that any thread may use: no context of zstd may serve two of them at a time."""

from __future__ import annotations

import threading

import zstandard


class Zstd(threading.local):
    """A pair of contexts for each thread: setting one up costs as much as a small frame."""

    def __init__(self, level: int, *, has_checksum: bool = False) -> None:
        self._compressor = zstandard.ZstdCompressor(level=level, write_checksum=has_checksum)
        self._decompressor = zstandard.ZstdDecompressor()

    def compress(self, plain: bytes) -> bytes:
        """The bytes, compressed."""
        return self._compressor.compress(plain)

    def decompress(self, data: bytes, most: int) -> bytes:
        """The plain bytes, of which there are so many at most; zstandard.ZstdError if damaged."""
        return self._decompressor.decompress(data, max_output_size=most)
