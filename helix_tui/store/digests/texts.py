"""The encoding of a session's searchable texts: msgpack, compressed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import zstandard

from helix_tui.errors import StoreError
from helix_tui.schema import SearchText
from helix_tui.store.packs.zstd import Zstd

# On texts this small a higher level costs half as much again and saves nothing.
_LEVEL = 1
_LARGEST = 64 << 20

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[SearchText]).decode
_zstd = Zstd(_LEVEL, has_checksum=True)


class TextsDamagedError(StoreError):
    """Stored texts cannot be read."""


def pack_texts(texts: Sequence[SearchText]) -> bytes:
    """Encode texts; empty for no texts."""
    return _zstd.compress(_encode(texts)) if texts else b""


def unpack_texts(data: bytes) -> list[SearchText]:
    """Decode stored texts."""
    try:
        return _decode(_zstd.decompress(data, _LARGEST))
    except (zstandard.ZstdError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TextsDamagedError(
            "Stored texts are damaged.", "Run `helix doctor --repair` to have them made again."
        ) from error


def are_sound(data: bytes) -> bool:
    """Whether stored texts can be read."""
    try:
        unpack_texts(data)
    except TextsDamagedError:
        return False
    return True
