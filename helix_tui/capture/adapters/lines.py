"""Lines of JSON for the readers of further agents: typed where they can be, salvaged where not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from helix_tui.capture.adapters.fields import compact_json
from helix_tui.capture.adapters.lenient import any_json, read_alone
from helix_tui.capture.draft import UnitDraft
from helix_tui.capture.salvage import salvage

# A position is the offset of a line, with room for what stands on it.
SLOTS_PER_LINE = 1024
IMAGE = "[image]"
TOO_DEEP = "JSON nested too deeply"
T = TypeVar("T", bound=msgspec.Struct)
# `Raw` keeps a value's bytes undecoded; its empty form stands for "absent".
ABSENT = msgspec.Raw(b"")


def take_lines(
    lines: Sequence[bytes],
    offset: int,
    draft: UnitDraft,
    decode: Callable[[bytes], T],
    kind: type[T],
    take: Callable[[T, bytes, int], None],
) -> None:
    """Hand each record to `take` with its line and position; a bad line costs itself alone."""
    for line in lines:
        try:
            record = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            if line and not line.isspace():
                _salvaged(line, offset, draft, kind, take)
        else:
            take(record, line, offset * SLOTS_PER_LINE)
        offset += len(line) + 1


def _salvaged(
    line: bytes,
    offset: int,
    draft: UnitDraft,
    kind: type[T],
    take: Callable[[T, bytes, int], None],
) -> None:
    objects, reason = salvage(line)
    for slot, item in enumerate(objects[:SLOTS_PER_LINE]):
        text = item.text.encode("utf-8", "replace")
        try:
            take(read_alone(item, kind), text, offset * SLOTS_PER_LINE + slot)
        except RecursionError:
            reason = TOO_DEEP
    if reason:
        draft.problem(offset, reason)


def json_of(line: bytes) -> str:
    """A whole line, kept because nothing is known of it."""
    return compact_json(any_json(line))


def raw_text(raw: msgspec.Raw) -> str:
    """The JSON that an agent wrote, as it wrote it."""
    return bytes(raw).decode("utf-8", "replace")


def said_in(value: Any) -> str:
    """A text as it is, anything else as JSON."""
    return value if isinstance(value, str) else compact_json(value)


class LineReader:
    """What a reader of one file of lines has in common with all others."""

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """There are no documents."""
        raise AssertionError(f"no part of this log is a document: {part}")

    def restart(self, part: str) -> None:
        """There is nothing to forget."""

    def state(self) -> bytes:
        """There is nothing to remember."""
        return b""
