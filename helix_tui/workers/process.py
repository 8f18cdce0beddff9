"""A process that reads units for a sweep: tasks on stdin, batches on stdout."""

from __future__ import annotations

import sys

import msgspec

from helix_tui.schema import UnitTask
from helix_tui.workers.garbage import spare_gc
from helix_tui.workers.reading import read_and_fold
from helix_tui.workers.wire import receive, send


def main() -> None:
    """Read units with our own adapters until the sweep closes the pipe."""
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
