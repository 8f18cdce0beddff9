"""Validate what a distilling program printed before it becomes memory."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from helix_tui.model.refusal import is_error_report
from helix_tui.program import ProgramError
from helix_tui.schema.memory import Distilled
from helix_tui.text.redact import redact
from helix_tui.text.refuse import refusals

NOOP = {"noop": True}
MOST_LINES = 40
MOST_LENGTH = 2_000
_Lines = Annotated[list[Annotated[str, Meta(max_length=MOST_LENGTH)]], Meta(max_length=MOST_LINES)]


class _Answer(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The one form of an answer: all five lists, and nothing else."""

    context: _Lines
    key_exchanges: _Lines
    decisions: _Lines
    lessons: _Lines
    actions: _Lines


def read_answer(output: bytes) -> Distilled | None:
    """What a program found worth keeping; None for its exact answer that nothing is.

    Anything but the one form raises ProgramError: half an answer, or an error report, is none.
    """
    try:
        raw = msgspec.json.decode(output)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProgramError(f"its answer is not JSON: {error}") from error
    if isinstance(raw, dict) and raw == NOOP and raw["noop"] is True:
        return None
    try:
        answer = msgspec.convert(raw, _Answer)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ProgramError(f"its answer has another form: {error}") from error
    lists = {name: _cleaned(name, getattr(answer, name)) for name in _Answer.__struct_fields__}
    lines = [line for section in lists.values() for line in section]
    if not lines:
        raise ProgramError('its answer says nothing; `{"noop": true}` is how to say so')
    if all(map(is_error_report, lines)):
        raise ProgramError("its answer is the report of an error")
    return Distilled(**lists)


def _cleaned(name: str, lines: list[str]) -> list[str]:
    """Each item on one line, without secrets; hidden characters are refused, not removed."""
    cleaned = [redact(" ".join(line.split())) for line in lines]
    for line in cleaned:
        for refusal in refusals(line):
            raise ProgramError(f"`{name}` of its answer has {refusal.what}")
    return [line for line in cleaned if line]
