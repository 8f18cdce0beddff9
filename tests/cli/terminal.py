"""Runs commands on a terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys

from tests.conftest import Workbench


def through_terminal(bench: Workbench, arguments: list[str]) -> bytes:
    """What a command writes to a real terminal."""
    master, slave = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "helix_tui", *arguments, "--store", str(bench.store)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={"PATH": os.environ["PATH"], "TERM": "xterm-256color", **bench.environ},
    )
    os.close(slave)
    shown = bytearray()
    while select.select([master], [], [], 30)[0]:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    assert running.wait(timeout=30) == 0, shown
    return bytes(shown)
