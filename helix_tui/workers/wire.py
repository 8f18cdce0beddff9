"""Messages between a sweep and the processes that read for it: a length, then the bytes."""

from __future__ import annotations

import struct
from typing import IO

LENGTH = struct.Struct("<I")


def framed(message: bytes) -> bytes:
    """A message with its length before it."""
    return LENGTH.pack(len(message)) + message


def send(stream: IO[bytes], message: bytes) -> None:
    """Write one message with its length before it."""
    stream.write(LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """One message, or None when the other side has closed the pipe."""
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(header)
    message = stream.read(length)
    return message if len(message) == length else None
