"""A program in a real pty, with the times at which what it shows came in."""

from __future__ import annotations

import fcntl
import os
import pty
import queue
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

import pyte

# What Textual asks, and what a terminal answers that draws a frame at once (mode 2026).
_ASKED, _ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
_BEGINS, _ENDS = b"\x1b[?2026h", b"\x1b[?2026l"
_CHUNK = 65_536
_SECONDS_TO_LEAVE = 10.0
# The thread that notes the times must not wait for the one that draws.
_SWITCH_SECONDS = 0.0002

KEYS = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "pgdn": "\x1b[6~",
    "pgup": "\x1b[5~",
    "f3": "\x1bOR",
    "f4": "\x1bOS",
    "f5": "\x1b[15~",
}


class Moment(NamedTuple):
    """A time, and what the program's main thread had run and waited for a core until then."""

    at: float
    ran: float
    waited: float

    def since(self, before: Moment) -> Moment:
        """What lies between two moments."""
        return Moment(
            self.at - before.at, self.ran - before.ran, max(0.0, self.waited - before.waited)
        )


class Chunk(NamedTuple):
    """Bytes with the moment at which they came."""

    moment: Moment
    data: bytes


class Unseen(Exception):  # noqa: N818 - it says what a screen did, not what went wrong
    """What was waited for never came to the screen."""


class Terminal:
    """A program that draws on a screen of its own, to be pressed keys on and looked at.

    A thread reads and notes the time of every piece; it is drawn by whoever waits, so that
    drawing is no part of what is measured. A frame that is sent as one is looked at as one.
    """

    def __init__(
        self, command: Sequence[str], environ: Mapping[str, str], size: tuple[int, int] = (120, 40)
    ) -> None:
        sys.setswitchinterval(_SWITCH_SECONDS)
        columns, lines = size
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self._pieces: queue.SimpleQueue[Chunk | None] = queue.SimpleQueue()
        self._is_in_frame = False
        self._tail = b""
        self._is_over = False
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.began = Moment(time.perf_counter(), 0.0, 0.0)
        self._drawn = self.began
        self._process = subprocess.Popen(
            command,
            env={"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", **environ},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(slave)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The program's process."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """How the program ended; None while it runs."""
        return self._process.poll()

    @property
    def lines(self) -> list[str]:
        """What is on the screen."""
        return list(self._screen.display)

    @property
    def text(self) -> str:
        """What is on the screen, as one text."""
        return "\n".join(self._screen.display)

    def colour_of(self, text: str) -> str:
        """The colour in which a text is shown; empty where it is not."""
        for number, line in enumerate(self._screen.display):
            if (at := line.find(text)) >= 0:
                return str(self._screen.buffer[number][at].fg)
        return ""

    def press(self, key: str) -> Moment:
        """Presses a key by its name, or types a text; the moment at which it was sent."""
        data = KEYS.get(key, key).encode()
        moment = self._now()
        os.write(self._master, data)
        return moment

    def until(self, is_so: Callable[[Terminal], object], seconds: float = 30) -> Moment:
        """Waits until the screen shows something; when what shows it came in."""
        give_up = time.perf_counter() + seconds
        while not is_so(self):
            if self._next(give_up - time.perf_counter()) is None:
                raise Unseen(self.text)
        return self._drawn

    def sees(self, *texts: str, seconds: float = 30) -> Moment:
        """Waits until all of these are on the screen."""
        return self.until(lambda one: all(text in one.text for text in texts), seconds)

    def key(self, key: str, is_so: Callable[[Terminal], object], seconds: float = 30) -> Moment:
        """Presses a key; what it takes until the screen shows what it does."""
        sent = self.press(key)
        return self.until(is_so, seconds).since(sent)

    def pause(self, seconds: float) -> None:
        """Draws what comes, for a while."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            if self._next(left) is None:
                if self._is_over:
                    return
                break

    def close(self) -> None:
        """Leaves by the key, or ends what does not leave."""
        if self._process.poll() is None:
            with suppress(OSError):
                self.press("q")
            try:
                self._process.wait(_SECONDS_TO_LEAVE)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        self._reader.join(_SECONDS_TO_LEAVE)
        os.close(self._master)

    def _next(self, seconds: float) -> Moment | None:
        """Draws up to the end of a frame; when it came, None where nothing came in time."""
        until = time.perf_counter() + seconds
        while not self._is_over:
            try:
                piece = self._pieces.get(timeout=max(0.0, until - time.perf_counter()))
            except queue.Empty:
                return None
            if piece is None:
                self._is_over = True
                return None
            self._stream.feed(piece.data)
            self._drawn = piece.moment
            seen = self._tail + piece.data
            begins, ends = seen.rfind(_BEGINS), seen.rfind(_ENDS)
            if begins != ends:
                self._is_in_frame = begins > ends
            self._tail = seen[-len(_BEGINS) + 1 :]
            if not self._is_in_frame:
                return piece.moment
        return None

    def _now(self) -> Moment:
        at = time.perf_counter()
        try:
            ran, waited, _ = Path(f"/proc/{self.pid}/schedstat").read_text().split()
        except OSError:  # the program has ended, or this is no Linux
            return Moment(at, 0.0, 0.0)
        return Moment(at, int(ran) / 1e9, int(waited) / 1e9)

    def _read(self) -> None:
        is_asked = False
        while True:
            try:
                data = os.read(self._master, _CHUNK)
            except OSError:  # the program has ended
                data = b""
            if not data:
                self._pieces.put(None)
                return
            self._pieces.put(Chunk(self._now(), data))
            if not is_asked and _ASKED in data:
                is_asked = True
                os.write(self._master, _ANSWER)


def _own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
