"""One tiny question that shows whether the model of the settings works."""

from __future__ import annotations

import time

import msgspec

from helix_tui.model.ask import Model, Question
from helix_tui.model.failure import FailureKind, ModelError

_QUESTION = Question(
    "This is a test of the connection by Helix, a program that reads session logs. Answer with "
    'the JSON object {"ready": true} and with nothing else. Use no tools.',
    "Are you ready?",
)


class Probe(msgspec.Struct, frozen=True):
    """What a test of the model found; `problem` and `todo` are empty where it works."""

    is_ready: bool
    seconds: float
    tokens: int = 0
    kind: FailureKind | None = None
    problem: str = ""
    todo: str = ""


def probe(model: Model, day: str) -> Probe:
    """Ask the model once, and say what works or what to do."""
    started = time.monotonic()
    try:
        answer = model.ask(_QUESTION, lambda value: value.get("ready") is True, day)
    except ModelError as error:
        seconds = time.monotonic() - started
        return Probe(False, seconds, 0, error.kind, error.what, error.todo)
    return Probe(True, time.monotonic() - started, answer.tokens)
