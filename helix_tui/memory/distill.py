"""Distillers: a piece in, what is worth keeping out; none may overspend or hang."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

import msgspec

from helix_tui.errors import InterruptedJobError
from helix_tui.memory.answer import read_answer
from helix_tui.memory.extract import extract
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.request import request_of
from helix_tui.memory.spending import Spending, tokens_of
from helix_tui.program import ProgramError, run_program
from helix_tui.schema.memory import Distilled, MemorySettings, Piece
from helix_tui.store.durable import make_folder, told
from helix_tui.text.markdown import code_span

ATTEMPTS = 3
FIRST_WAIT_SECONDS = 2.0
# What an answer may be at most, booked before it is there.
_MOST_ANSWER = 64 * 1024
_LOOK_AGAIN = 0.1
_STOPPED = "Stopped before the program was tried again."


class CappedError(Exception):
    """The day's tokens are spent."""


class Told(NamedTuple):
    """What a distiller said: what is worth keeping, or None for nothing; and who said it."""

    distilled: Distilled | None
    by: str


class Distiller(Protocol):
    """Says what is worth keeping of a piece.

    Raises ProgramError or CappedError where it cannot, InterruptedJobError where it is stopped.
    """

    def __call__(self, piece: Piece, day: str) -> Told:
        """What is worth keeping; `day` is the local one, to which what it costs is booked."""


def distiller_of(
    settings: MemorySettings, places: MemoryPlaces, cancelled: Callable[[], bool] = bool
) -> Distiller:
    """The distiller that the settings name; where it is cancelled, it stops at once."""

    def wait(seconds: float) -> None:
        until = time.monotonic() + seconds
        while not cancelled() and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _LOOK_AGAIN))

    if settings.distiller == "command":
        return CommandDistiller(settings, places, wait, cancelled)
    return _extractive


def _extractive(piece: Piece, day: str) -> Told:
    return Told(extract(piece), "extractive")


def _quoted(said: Distilled | None) -> Distilled | None:
    """What a program says is made of words of a log: it is quoted, too."""
    if said is None:
        return None
    return msgspec.convert(
        {name: list(map(code_span, lines)) for name, lines in msgspec.structs.asdict(said).items()},
        Distilled,
    )


class CommandDistiller:
    """A program of the user's: text on stdin, JSON on stdout, tried again with growing pauses."""

    def __init__(
        self,
        settings: MemorySettings,
        places: MemoryPlaces,
        wait: Callable[[float], None],
        cancelled: Callable[[], bool] = bool,
    ) -> None:
        self._settings = settings
        self._places = places
        self._wait = wait
        self._cancelled = cancelled
        self._spending = Spending(places)

    def __call__(self, piece: Piece, day: str) -> Told:
        """What the program says; its last complaint where it never gave an answer."""
        request = request_of(piece)
        with told(self._places.run):
            make_folder(self._places.run)
        for attempt in range(ATTEMPTS):
            try:
                return Told(_quoted(self._ask(request, day)), "command")
            except ProgramError:
                if attempt == ATTEMPTS - 1:
                    raise
                self._wait(FIRST_WAIT_SECONDS * 2**attempt)
                if self._cancelled():
                    raise InterruptedJobError(_STOPPED) from None
        raise AssertionError("unreachable")

    def _ask(self, request: bytes, day: str) -> Distilled | None:
        settings = self._settings
        asked = tokens_of(len(request))
        most = asked + tokens_of(_MOST_ANSWER)
        booked = self._spending.book(day, asked, most, settings.daily_token_cap)
        if not booked:
            raise CappedError
        answer = b""
        try:
            answer = run_program(
                settings.command,
                request,
                settings.timeout_seconds,
                self._places.run,
                self._cancelled,
            )
            return read_answer(answer)
        finally:
            self._spending.settle(day, booked, asked + tokens_of(len(answer)))
