"""Run the distiller of the settings on a piece of a session; none may overspend or hang."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

import msgspec

from helix_tui.errors import InterruptedJobError
from helix_tui.files.durable import make_folder, told
from helix_tui.memory.distill.answer import read_answer
from helix_tui.memory.distill.beside_model import beside_model
from helix_tui.memory.distill.extract import extract
from helix_tui.memory.distill.material import material_of
from helix_tui.memory.distill.model_answer import INSTRUCTIONS, fits, read_lenient, sections_in
from helix_tui.memory.distill.request import request_of
from helix_tui.memory.places import MemoryPlaces
from helix_tui.model.ask import Model, Question
from helix_tui.model.failure import OF_THE_QUESTION, ModelError
from helix_tui.model.spending import Spending, tokens_of
from helix_tui.program import ProgramError, run_program
from helix_tui.schema.memory import Distilled, DistillerName, MemorySettings, Piece
from helix_tui.text.markdown import code_span

ATTEMPTS = 3
FIRST_WAIT_SECONDS = 2.0
# The longest answer, booked in advance.
_MOST_ANSWER = 64 * 1024
_LOOK_AGAIN = 0.1
_STOPPED = "Stopped before the program was tried again."


class CappedError(Exception):
    """The day's tokens are spent."""


class Distillation(NamedTuple):
    """A distiller's result: what is worth keeping, or None for nothing; and which one made it.

    `fell_back` says why it is not the one of the settings; `tokens` are those that a model took.
    """

    distilled: Distilled | None
    by: DistillerName
    fell_back: str = ""
    tokens: int = 0
    is_model_out: bool = False


class Distiller(Protocol):
    """Decide what is worth keeping of a piece.

    Raise ProgramError or CappedError where that fails, InterruptedJobError where it is stopped.
    """

    def __call__(self, piece: Piece, day: str) -> Distillation:
        """What is worth keeping; `day` is the local day to which the tokens are booked."""


def distiller_of(
    settings: MemorySettings,
    places: MemoryPlaces,
    cancelled: Callable[[], bool] = bool,
    model: Model | None = None,
) -> Distiller:
    """The distiller of the settings; it stops at once when it is cancelled."""

    def wait(seconds: float) -> None:
        until = time.monotonic() + seconds
        while not cancelled() and (remaining := until - time.monotonic()) > 0:
            time.sleep(min(remaining, _LOOK_AGAIN))

    if settings.distiller == "command":
        return CommandDistiller(settings, places, wait, cancelled)
    if settings.distiller == "model" and model is not None:
        return ModelDistiller(model)
    return _extractive


def _extractive(piece: Piece, day: str) -> Distillation:
    return Distillation(extract(piece), "extractive")


def _quoted(distilled: Distilled | None) -> Distilled | None:
    """Quote a program's answer: it is made of words of a log, too."""
    if distilled is None:
        return None
    return msgspec.convert(
        {
            name: list(map(code_span, lines))
            for name, lines in msgspec.structs.asdict(distilled).items()
        },
        Distilled,
    )


class ModelDistiller:
    """The model of the settings, asked once; where it gives no answer, what is extracted counts."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __call__(self, piece: Piece, day: str) -> Distillation:
        """The model's answer, or what extraction makes and why the model did not."""
        material = material_of(piece)
        question = Question(INSTRUCTIONS, material.within(self._model.room(INSTRUCTIONS)))
        tokens = 0
        try:
            answer = self._model.ask(question, fits, day, sections_in)
            tokens = answer.tokens
            distilled = beside_model(piece, read_lenient(answer.value, material.sources))
        except ModelError as error:
            tokens = tokens or error.tokens
            is_out = error.kind not in OF_THE_QUESTION
            return Distillation(extract(piece), "extractive", str(error), tokens, is_out)
        return Distillation(distilled, "model", tokens=tokens)


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
        self._spending = Spending(places.spent)

    def __call__(self, piece: Piece, day: str) -> Distillation:
        """The program's answer; raise its last error where it never gave one."""
        request = request_of(piece)
        with told(self._places.run):
            make_folder(self._places.run)
        for attempt in range(ATTEMPTS):
            try:
                return Distillation(_quoted(self._ask(request, day)), "command")
            except ProgramError:
                if attempt == ATTEMPTS - 1:
                    raise
                self._wait(FIRST_WAIT_SECONDS * 2**attempt)
                if self._cancelled():
                    raise InterruptedJobError(_STOPPED) from None
        raise AssertionError("unreachable")

    def _ask(self, request: bytes, day: str) -> Distilled | None:
        settings = self._settings
        request_tokens = tokens_of(len(request))
        most = request_tokens + tokens_of(_MOST_ANSWER)
        booked = self._spending.book(day, request_tokens, most, settings.daily_token_cap)
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
            self._spending.settle(day, booked, request_tokens + tokens_of(len(answer)))
