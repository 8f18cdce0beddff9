"""What the counters of Codex and Grok share: JSON lines with damage in them, times, numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]

BLANK = "\0 \t\r\ufeff"


def pieces(
    data: bytes, begins: tuple[str, ...], within: tuple[str, ...] = ()
) -> Iterator[Json | None]:
    """Every JSON object of a file in order, and None where something cannot be read.

    Several objects on one line are several; behind a torn one, an object that begins as records
    do and runs to the end of the line counts. A torn last line is still being written: nothing.
    Some records begin as objects `within` others do: behind a torn one that began otherwise such
    an object is the half of a record with the half of another, and says what neither said.
    """
    decoder = json.JSONDecoder()
    *lines, last = data.split(b"\n")
    if is_whole(last.decode("utf-8", "replace")):
        lines.append(last)
    for line in lines:
        text = line.decode("utf-8", "replace").strip(BLANK)
        at = 0
        while at < len(text):
            try:
                value, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                yield None
                torn = tuple(begin for begin in within if text.startswith(begin, at))
                at = restart(text, at + 1, begins + torn)
                continue
            yield value if isinstance(value, dict) else None
            while at < len(text) and text[at] in BLANK:
                at += 1


def is_whole(text: str) -> bool:
    """Whether a text is nothing but complete JSON objects, at least one."""
    rest = text.strip(BLANK)
    if not rest:
        return False
    while rest:
        try:
            value, end = json.JSONDecoder().raw_decode(rest)
        except (ValueError, RecursionError):
            return False
        if not isinstance(value, dict):
            return False
        rest = rest[end:].strip(BLANK)
    return True


def restart(text: str, start: int, begins: tuple[str, ...]) -> int:
    """Where, after a torn record, whole ones run to the end of the line; else the line's end."""
    for at in range(start, len(text)):
        if text.startswith(begins, at) and is_whole(text[at:]):
            return at
    return len(text)


def moment(value: object) -> datetime | None:
    """An ISO time, UTC where it names no zone; None if it is not one."""
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def iso(time: datetime) -> str:
    """A time as Helix prints it: UTC with milliseconds."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def whole(value: object) -> int:
    """A count: the integer that a JSON number is, else 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if value == int(value) else 0


def mapping(value: object) -> Json:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def text_or_none(value: object) -> str | None:
    """The value if it is a text with something in it."""
    return value if isinstance(value, str) and value else None
