"""Single keys of a reviewer: from a terminal without enter, or one a line from a script."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import sys
import termios
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Protocol

END = ""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
# A key that is no character sends several: all of them are one key.
_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~]|[^\[O])?")
_SECONDS_OF_A_KEY = 0.05
_CONTROL_D = b"\x04"
_PIECE = 1024


class KeySource(Protocol):
    """Where keys come from."""

    def key(self) -> str:
        """The next key; `END` where there will be none."""

    def line(self) -> str:
        """A line that somebody writes; empty where they write none."""

    def lent(self) -> AbstractContextManager[int | None]:
        """Leave the terminal to a program, which reads from what this gives."""


class Patience:
    """Let a signal end the wait for a key, and nothing that is being written meanwhile."""

    def __init__(self) -> None:
        self._is_asked = False
        self._is_waiting = False
        self.is_lent = False

    def note(self, number: int, frame: FrameType | None) -> None:
        """Note a signal; a second one ends the review at once."""
        if self.is_lent and number in (signal.SIGINT, signal.SIGQUIT):
            return  # meant for the program that has the terminal
        if self._is_waiting or self._is_asked:
            raise KeyboardInterrupt
        self._is_asked = True

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """A block in which a signal interrupts the wait at once."""
        self._is_waiting = True
        try:
            if self._is_asked:
                raise KeyboardInterrupt
            yield
        finally:
            self._is_waiting = False


@contextmanager
def patient() -> Iterator[Patience]:
    """Catch signals for as long as the review runs."""
    patience = Patience()
    before = {number: signal.signal(number, patience.note) for number in _SIGNALS}
    try:
        yield patience
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def open_keys() -> Iterator[KeySource]:
    """The keys of this process; the terminal's settings are restored on every way out."""
    with patient() as patience:
        if sys.stdin is None or not sys.stdin.isatty():
            yield LineKeys(patience)
            return
        keys = TerminalKeys(sys.stdin.fileno(), patience)
        try:
            keys.take()
            yield keys
        finally:
            keys.give_back()


class LineKeys:
    """Keys of a script: one a line, and a note as the line after."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience

    def key(self) -> str:
        """The next line that is not empty."""
        while line := self._read():
            if line.strip():
                return line.strip()
        return END

    def line(self) -> str:
        """The next line as it stands."""
        return self._read().strip()

    @contextmanager
    def lent(self) -> Iterator[int | None]:
        """Give the program nothing to read: the rest of the script is not meant for it."""
        descriptor = os.open(os.devnull, os.O_RDONLY)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _read(self) -> str:
        if sys.stdin is None:
            return ""
        with self._patience.waiting():
            return sys.stdin.buffer.readline().decode("utf-8", "replace")


class TerminalKeys:
    """Keys of a terminal as they are pressed; they are not shown."""

    def __init__(self, descriptor: int, patience: Patience) -> None:
        self._descriptor = descriptor
        self._patience = patience
        self._typed = b""
        self._before = termios.tcgetattr(descriptor)

    def take(self) -> None:
        """Read keys as they are pressed, without enter; ctrl+c stays a signal."""
        mode = termios.tcgetattr(self._descriptor)
        mode[3] &= ~(termios.ICANON | termios.ECHO)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        # What was typed already counts.
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, mode)

    def give_back(self) -> None:
        """Restore the terminal's settings."""
        with contextlib.suppress(termios.error):  # it is gone
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    def key(self) -> str:
        """The next key that is pressed."""
        if not self._typed:
            self._typed = self._read()
        while self._typed.startswith(b"\x1b") and self._has_more():
            self._typed += self._read()
        key, self._typed = first_key(self._typed)
        return key

    def line(self) -> str:
        """A line, edited as the terminal allows."""
        self.give_back()
        try:
            while b"\n" not in self._typed:
                piece = self._read()
                self._typed += piece
                if not piece:
                    break
        finally:
            self.take()
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode("utf-8", "replace").strip()

    @contextmanager
    def lent(self) -> Iterator[int | None]:
        """Restore the terminal while a program uses it."""
        self.give_back()
        self._patience.is_lent = True
        try:
            yield None
        finally:
            self._patience.is_lent = False
            self.take()

    def _read(self) -> bytes:
        with self._patience.waiting():
            try:
                return os.read(self._descriptor, _PIECE)
            except OSError:  # the terminal is gone: nobody will press a key
                return b""

    def _has_more(self) -> bool:
        match = _SEQUENCE.match(self._typed)
        if match is None or match.end() < len(self._typed) or match.end() > 1:
            return False
        return bool(select.select([self._descriptor], [], [], _SECONDS_OF_A_KEY)[0])


def first_key(typed: bytes) -> tuple[str, bytes]:
    """The first key of what was typed, and what was typed behind it."""
    if not typed or typed.startswith(_CONTROL_D):
        return END, typed[1:]
    if match := _SEQUENCE.match(typed):
        return "escape", typed[match.end() :]
    if typed[:1] in b"\r\n":
        return "enter", typed[1:]
    text = typed.decode("utf-8", "replace")
    length = len(text[0].encode()) if text[0] != "\ufffd" else 1
    return text[0], typed[length:]
