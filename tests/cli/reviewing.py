"""Somebody who reviews: with a script of keys, or at a real terminal."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
from pathlib import Path
from typing import Any

from tests.conftest import Ran, Workbench
from tests.forked import run_helix, start_helix

CLEAR = "\x1b[H\x1b[2J"
_STYLES = re.compile(r"\x1b\[[012]m")
_SECONDS = 30


def review(bench: Workbench, *keys: str, arguments: tuple[str, ...] = (), **variables: str) -> Ran:
    """Runs `helix curate` without a terminal, one key a line."""
    environ = {"PATH": os.environ["PATH"], **bench.environ, **variables}
    command = ["curate", *arguments, "--store", str(bench.store)]
    return Ran(*run_helix(command, environ, "".join(f"{key}\n" for key in keys)))


def editor(folder: Path, body: str) -> str:
    """An editor that does to the page, `$1`, what a shell script says."""
    path = folder / "editor.sh"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


class Reviewer:
    """`helix curate`, or another command, on a terminal of its own."""

    def __init__(
        self,
        bench: Workbench,
        *arguments: str,
        command: str = "curate",
        rows: int = 24,
        columns: int = 80,
        **variables: str,
    ) -> None:
        self._master, self._slave = pty.openpty()
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, size)
        self._before = termios.tcgetattr(self._slave)
        self.out = bench.store.with_name("out.json")
        self._running = start_helix(
            [command, *arguments, "--store", str(bench.store)],
            {
                "PATH": os.environ["PATH"],
                "TERM": "xterm-256color",
                **bench.environ,
                **variables,
            },
            self._slave,
            self.out if "--json" in arguments else None,
        )
        self.raw = ""
        self._seen = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def see(self, text: str) -> str:
        """Waits until a text is shown after what was seen before, and gives what came till then."""
        while text not in self.raw[self._seen :]:
            if not select.select([self._master], [], [], _SECONDS)[0]:
                raise AssertionError(f"{text!r} was not shown in:\n{self.raw[self._seen :]}")
            try:
                piece = os.read(self._master, 65536)
            except OSError:
                piece = b""
            if not piece:
                raise AssertionError(f"it ended without {text!r}:\n{self.raw[self._seen :]}")
            self._take(piece)
        end = self.raw.index(text, self._seen) + len(text)
        shown, self._seen = self.raw[self._seen : end], end
        return plain(shown)

    def _take(self, piece: bytes) -> None:
        """A terminal may hand over a part of a sign."""
        self.raw += self._decoder.decode(piece)

    def press(self, keys: str) -> None:
        """Presses keys one after the other."""
        os.write(self._master, keys.encode())

    def kill(self, number: signal.Signals) -> None:
        """Sends a signal."""
        self._running.send_signal(number)

    def mode(self) -> Any:
        """How the terminal is set now."""
        return termios.tcgetattr(self._slave)

    def end(self) -> int:
        """Waits for the end, after which the terminal is as it was; the exit code."""
        while (code := self._running.poll()) is None or select.select([self._master], [], [], 0)[0]:
            if select.select([self._master], [], [], 0.05)[0]:
                self._take(os.read(self._master, 65536))
        assert self.mode() == self._before
        os.close(self._slave)
        os.close(self._master)
        return code

    def frames(self) -> list[list[str]]:
        """Every screen that was shown, line by line; the last with what came behind it."""
        return [plain(frame).split("\n") for frame in self.raw.split(CLEAR)[1:]]


def plain(shown: str) -> str:
    """What was shown without the signs of ours that steer a terminal."""
    return _STYLES.sub("", shown).replace("\r\n", "\n")
