"""The one hash of fingerprints and checksums: fast, 64 bits, signed as SQLite keeps integers."""

from __future__ import annotations

from xxhash import xxh3_64_intdigest

_WRAP = 1 << 64
_SIGN = 1 << 63


def hash64(data: bytes) -> int:
    """A signed 64-bit hash that is the same on every machine."""
    digest = xxh3_64_intdigest(data)
    return digest - _WRAP if digest >= _SIGN else digest
