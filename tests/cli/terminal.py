"""Runs commands on a terminal."""

from __future__ import annotations

import os
import pty
import select
from collections.abc import Mapping, Sequence

from tests.conftest import Workbench
from tests.forked import start_helix

_SECONDS = 60


def through_terminal(bench: Workbench, arguments: list[str]) -> bytes:
    """What a command writes to a real terminal."""
    environ = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", **bench.environ}
    code, shown = on_terminal([*arguments, "--store", str(bench.store)], environ)
    assert code == 0, shown
    return shown


def on_terminal(arguments: Sequence[str], environ: Mapping[str, str]) -> tuple[int, bytes]:
    """A command's exit code, and what it writes to a real terminal."""
    master, slave = pty.openpty()
    running = start_helix(arguments, environ, slave)
    os.close(slave)
    shown = bytearray()
    while select.select([master], [], [], _SECONDS)[0]:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break  # the other end is closed
        if not piece:
            break
        shown += piece
    code = running.wait(_SECONDS)
    os.close(master)
    return code, bytes(shown)
