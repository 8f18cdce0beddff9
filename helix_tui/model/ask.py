"""Ask the model of the settings one question, within its time and the day's tokens."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Protocol

from helix_tui.errors import InterruptedJobError
from helix_tui.files.durable import make_folder, told
from helix_tui.model.cut import cut_middle
from helix_tui.model.envelope import Reply
from helix_tui.model.failure import ModelError
from helix_tui.model.lenient import Fits, object_in, without_thoughts
from helix_tui.model.presets import model_of, preset_of, target_of
from helix_tui.model.program_call import MOST_OUTPUT, ProgramCall
from helix_tui.model.refusal import is_echo, is_refusal
from helix_tui.model.server_call import ServerCall
from helix_tui.model.spending import Spending, tokens_of
from helix_tui.schema.model import ModelSettings
from helix_tui.text.redact import redact

_LOOK_AGAIN = 0.1
# The longest answer, booked in advance.
_ANSWER_TOKENS = tokens_of(MOST_OUTPUT // 4)
# Failures before which nothing was read by a model.
_FREE = ("setup", "limited", "unreachable")

Otherwise = Callable[[str], dict[str, Any] | None]


class Question(NamedTuple):
    """What is asked: instructions, which are sent whole, and the material, which may be cut."""

    instructions: str
    material: str


class Answered(NamedTuple):
    """An answer: its object, and the tokens that it took."""

    value: dict[str, Any]
    tokens: int


class _Call(Protocol):
    def __call__(self, instructions: str, material: str, seconds: float) -> Reply:
        """The reply of a model."""


class Model:
    """The model of the settings; nothing is started or connected before it is asked."""

    def __init__(
        self,
        settings: ModelSettings,
        folder: Path,
        spent: Path,
        cancelled: Callable[[], bool] = bool,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.settings = settings
        self._folder = folder
        self._spending = Spending(spent)
        self._cancelled = cancelled
        self._environ = environ
        self._call: _Call | None = None

    def __repr__(self) -> str:
        return f"Model({self.settings.preset!r}, {self.target!r})"

    def __enter__(self) -> Model:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(self._call, ServerCall):
            self._call.close()
        self._call = None

    @property
    def target(self) -> str:
        """Whom it asks: an address, or a program."""
        return target_of(self.settings)

    @property
    def name(self) -> str:
        """What the asked model is called, for the record."""
        return f"{self.settings.preset}:{model_of(self.settings) or 'default'}"

    def spent(self, day: str) -> int:
        """The tokens of a day so far."""
        return self._spending.spent(day)

    def room(self, instructions: str) -> int:
        """How many characters of material are sent with these instructions, uncut."""
        return max(self.settings.max_input_characters - len(instructions), 0)

    def ask(
        self, question: Question, fits: Fits, day: str, otherwise: Otherwise | None = None
    ) -> Answered:
        """The object of its answer that fits; raise ModelError where there is none.

        `otherwise` reads an answer that has no object in it. What is sent is redacted here,
        whatever was done before; `day` is the local day to which the tokens are booked.
        """
        settings = self.settings
        material = redact(question.material)
        material = cut_middle(material, self.room(question.instructions))
        call = self._ready()
        sent = tokens_of(len(question.instructions.encode()) + len(material.encode()))
        booked = self._spending.book(day, sent, sent + _ANSWER_TOKENS, settings.daily_token_cap)
        if not booked:
            cap = settings.daily_token_cap
            raise ModelError(
                "limited",
                f"The day's cap of {cap:,} tokens is reached.",
                "Wait until tomorrow, or raise [model] daily_token_cap.",
            )
        used = booked
        try:
            reply = call(question.instructions, material, settings.timeout_seconds)
            used = _used(reply, sent)
        except ModelError as error:
            used = error.tokens = 0 if error.kind in _FREE else sent
            raise
        except InterruptedJobError:
            used = sent
            raise
        finally:
            self._spending.settle(day, booked, used)
        try:
            return Answered(_object_of(reply, question.instructions, fits, otherwise), used)
        except ModelError as error:
            error.tokens = used
            raise

    def _ready(self) -> _Call:
        if self._call is not None:
            return self._call
        preset = preset_of(self.settings)
        if preset is None:
            raise ModelError(
                "setup", "No model is configured.", "Set [model] preset (docs/model.md)."
            )
        if preset.form:
            self._call = ServerCall(self.settings, self._environ, self._cancelled, self._wait)
        else:
            with told(self._folder):
                make_folder(self._folder)
            self._call = ProgramCall(self.settings, self._folder, self._environ, self._cancelled)
        return self._call

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (remaining := until - time.monotonic()) > 0:
            if self._cancelled():
                raise InterruptedJobError("Stopped before the model was asked again.")
            time.sleep(min(remaining, _LOOK_AGAIN))


def _used(reply: Reply, sent: int) -> int:
    """The tokens that a model tells, or else about how many it must have been."""
    if reply.tokens is not None:
        return reply.tokens
    return sent + tokens_of(len(reply.text.encode("utf-8", "replace")))


def _object_of(
    reply: Reply, instructions: str, fits: Fits, otherwise: Otherwise | None
) -> dict[str, Any]:
    """The object in a reply; what is an echo, a refusal or nothing of the kind is an error."""
    text = without_thoughts(reply.text)
    if is_echo(text, instructions):
        raise ModelError("unusable", "The model repeated the request instead of an answer.")
    if reply.is_refusal:
        raise ModelError("refused", "The model refused to answer.")
    value = object_in(text, fits)
    if value is not None:
        return value
    if is_refusal(text):
        raise ModelError("refused", "The model refused to answer.")
    other = otherwise(text) if otherwise is not None and "{" not in text else None
    if other is not None and fits(other) and not reply.is_cut:
        return other
    if not text:
        raise ModelError("unusable", "The model's answer is empty.")
    if reply.is_cut:
        raise ModelError("unusable", "The model's answer was cut off by its own limit.")
    raise ModelError("unusable", "The model's answer has no JSON object of the form asked for.")
