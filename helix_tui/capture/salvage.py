"""Read as much as possible of a line that no typed decoder takes."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

_decoder = json.JSONDecoder()
_BLANK = "\0 \t\r\ufeff"
# How an agent's record may begin, to find a complete one after a torn one.
_OPENINGS = (
    *('{"type":', '{"parentUuid":', '{"timestamp":', '{"uuid":', '{"id":'),
    *('{"$set":', '{"$rewindTo":'),
)
# Objects within a record begin like these too: used only after a torn one with the same start.
_OWN_OPENINGS = ('{"role":', '{"ts":', '{"record_type":', '{"sessionId":')
_MAX_RESTARTS = 64

JsonObject = dict[str, Any]


class FoundObject(NamedTuple):
    """An object of a line, and the text that it was read from."""

    value: JsonObject
    text: str


class SalvagedLine(NamedTuple):
    """The objects found on a line, and what was wrong with it, if anything was."""

    objects: list[FoundObject]
    reason: str | None


def salvage(line: bytes) -> SalvagedLine:
    """Every JSON object on the line: after NUL runs, several in a row, after a torn one."""
    reason = None
    nul_count = line.count(b"\0")
    if nul_count:
        reason = f"{nul_count} NUL bytes"
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode("utf-8", "replace")
        reason = "invalid UTF-8"
    text = text.strip(_BLANK)
    objects: list[FoundObject] = []
    at = 0
    while at < len(text):
        try:
            value, end = _decoder.raw_decode(text, at)
        except RecursionError:
            return SalvagedLine(objects, "JSON nested too deeply")
        except ValueError as error:
            reason = f"not JSON: {_plain(error)}"
            at = _restart(text, at)
            if at < 0:
                break
            continue
        if isinstance(value, dict):
            objects.append(FoundObject(value, text[at:end]))
        else:
            reason = "not a JSON object"
        at = _skip_blank(text, end)
    return SalvagedLine(objects, reason)


def is_whole(line: bytes) -> bool:
    """Whether an unterminated last line is complete already: one JSON object, or several."""
    return _are_objects(line.decode("utf-8", "replace").strip(_BLANK))


def _are_objects(text: str) -> bool:
    """Whether the text is nothing but JSON objects."""
    at = 0
    try:
        while at < len(text):
            value, at = _decoder.raw_decode(text, at)
            if not isinstance(value, dict):
                return False
            at = _skip_blank(text, at)
    except (ValueError, RecursionError):
        return False
    return bool(text)


def _skip_blank(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _plain(error: ValueError) -> str:
    # JSONDecodeError's own text carries positions within the line, not the line's content.
    if isinstance(error, json.JSONDecodeError):
        return error.msg.removesuffix(" starting at")
    return "unreadable number"


def _restart(text: str, torn_at: int) -> int:
    """Where whole records that run to the end of the line begin, or -1."""
    openings = (text[torn_at : torn_at + 12], *_OPENINGS)
    candidates = {at for opening in openings for at in _offsets(text, opening, torn_at + 1)}
    candidates |= {
        at
        for opening in _OWN_OPENINGS
        for at in _offsets(text, opening, torn_at + 1)
        # As far as the torn one goes: no more than its brace may be left of it.
        if opening.startswith(text[torn_at : min(at, torn_at + 3)])
    }
    for at in sorted(candidates)[:_MAX_RESTARTS]:
        # An object within a record does not run to the end: closing braces follow it.
        if _are_objects(text[at:]):
            return at
    return -1


def _offsets(text: str, opening: str, start: int) -> list[int]:
    offsets: list[int] = []
    at = text.find(opening, start)
    while at >= 0 and len(offsets) < _MAX_RESTARTS:
        offsets.append(at)
        at = text.find(opening, at + 1)
    return offsets
