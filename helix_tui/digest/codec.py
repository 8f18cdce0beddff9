"""Folds as the store keeps them: msgpack, compressed."""

from __future__ import annotations

import msgspec
import zstandard

from helix_tui.digest.fold import PartFold

_LEVEL = 3
_LARGEST = 16 << 20

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(PartFold).decode
_compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=False)
_decompressor = zstandard.ZstdDecompressor()


def pack_fold(fold: PartFold) -> bytes:
    """A fold's bytes."""
    return _compressor.compress(_encode(fold))


def unpack_fold(data: bytes) -> PartFold:
    """The fold that was stored."""
    return _decode(_decompressor.decompress(data, max_output_size=_LARGEST))
