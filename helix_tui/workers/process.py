"""A process that reads units for a sweep: tasks on stdin, batches on stdout."""

from __future__ import annotations

import struct
import sys
from typing import IO

import msgspec

from helix_tui.capture.adapters import tell_adapters
from helix_tui.schema import UnitTask
from helix_tui.workers.garbage import spare_gc
from helix_tui.workers.reading import read_and_fold

LENGTH = struct.Struct("<I")


def send(stream: IO[bytes], message: bytes) -> None:
    """Writes one message behind its length."""
    stream.write(LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """One message, or None when the other side is gone."""
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(header)
    message = stream.read(length)
    return message if len(message) == length else None


def main() -> None:
    """Reads units with the adapters that the arguments name, until the sweep closes the pipe."""
    tell_adapters(argument for argument in sys.argv[1:] if "=" in argument)
    spare_gc()
    decode = msgspec.msgpack.Decoder(UnitTask).decode
    encode = msgspec.msgpack.Encoder().encode
    tasks, batches = sys.stdin.buffer, sys.stdout.buffer
    try:
        while (message := receive(tasks)) is not None:
            for batch in read_and_fold(decode(message)):
                send(batches, encode(batch))
    except (BrokenPipeError, KeyboardInterrupt):
        # The sweep was stopped or killed; what it had not committed is read again next time.
        sys.stderr.close()


if __name__ == "__main__":
    main()
