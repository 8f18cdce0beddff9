"""Let a long job end in order when somebody presses Ctrl-C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer

from helix_tui.errors import ExitCode


class Stop:
    """Remember that somebody asked the job to end."""

    def __init__(self) -> None:
        self._asked = False

    def is_asked(self) -> bool:
        """Whether the job should end soon."""
        return self._asked

    def ask(self, number: int, frame: FrameType | None) -> None:
        """Note the first request; a second one ends the job at once."""
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        print("helix: stopping after what has been begun…", file=sys.stderr)

    def exit_if_asked(self) -> None:
        """End the command as an interrupted one ends."""
        if self._asked:
            print("helix: stopped; called again, it goes on from here.", file=sys.stderr)
            raise typer.Exit(ExitCode.INTERRUPTED)


@contextmanager
def stop_on_signal() -> Iterator[Stop]:
    """The first Ctrl-C ends the job in order, the second at once."""
    stop = Stop()
    before = {number: signal.signal(number, stop.ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
