"""Reads what can be read of a line that no typed decoder takes."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

_decoder = json.JSONDecoder()
_BLANK = "\0 \t\r"
# How a record of one of the agents may begin, to find a whole one behind a torn one.
_OPENINGS = ('{"type":', '{"parentUuid":', '{"timestamp":', '{"uuid":', '{"id":')
_MAX_RESTARTS = 64

JsonObject = dict[str, Any]


class Salvaged(NamedTuple):
    """The objects found on a line, and what was wrong with it, if anything was."""

    objects: list[JsonObject]
    reason: str | None


def salvage(line: bytes) -> Salvaged:
    """Every JSON object on the line: after NUL runs, several in a row, behind a torn one."""
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
    objects: list[JsonObject] = []
    at = 0
    while at < len(text):
        try:
            value, at = _decoder.raw_decode(text, at)
        except RecursionError:
            return Salvaged(objects, "JSON nested too deeply")
        except ValueError as error:
            reason = f"not JSON: {_plain(error)}"
            at = _restart(text, at)
            if at < 0:
                break
            continue
        if isinstance(value, dict):
            objects.append(value)
        else:
            reason = "not a JSON object"
        while at < len(text) and text[at] in _BLANK:
            at += 1
    return Salvaged(objects, reason)


def is_whole(line: bytes) -> bool:
    """Whether an unterminated last line is a complete JSON object already."""
    try:
        return isinstance(json.loads(line.decode("utf-8", "replace").strip(_BLANK)), dict)
    except (ValueError, RecursionError):
        return False


def _plain(error: ValueError) -> str:
    # JSONDecodeError's own text carries positions within the line, not the line's content.
    return error.msg if isinstance(error, json.JSONDecodeError) else "unreadable number"


def _restart(text: str, torn_at: int) -> int:
    """Where a whole record that runs to the end of the line begins, or -1."""
    openings = (text[torn_at : torn_at + 12], *_OPENINGS)
    candidates = sorted({at for opening in openings for at in _found(text, opening, torn_at + 1)})
    for at in candidates[:_MAX_RESTARTS]:
        try:
            value = json.loads(text[at:])
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and "type" in value:
            return at
    return -1


def _found(text: str, opening: str, start: int) -> list[int]:
    found: list[int] = []
    at = text.find(opening, start)
    while at >= 0 and len(found) < _MAX_RESTARTS:
        found.append(at)
        at = text.find(opening, at + 1)
    return found
