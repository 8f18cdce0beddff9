"""Folds as the store keeps them: msgpack, compressed."""

from __future__ import annotations

import msgspec
import zstandard

from helix_tui.digest.state import PartFold
from helix_tui.errors import StoreError
from helix_tui.store.packs.zstd import Zstd

_LEVEL = 3
_LARGEST = 16 << 20

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(PartFold).decode
_zstd = Zstd(_LEVEL, has_checksum=True)


class FoldDamagedError(StoreError):
    """A stored fold cannot be read."""


def pack_fold(fold: PartFold) -> bytes:
    """A fold's bytes."""
    return _zstd.compress(_encode(fold))


def unpack_fold(data: bytes) -> PartFold:
    """The fold that was stored."""
    try:
        return _decode(_zstd.decompress(data, _LARGEST))
    except (zstandard.ZstdError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FoldDamagedError(
            "A stored digest is damaged.", "Run `helix doctor --repair` to have it made again."
        ) from error


def is_sound(data: bytes) -> bool:
    """Whether a stored fold can be read."""
    try:
        unpack_fold(data)
    except FoldDamagedError:
        return False
    return True
