"""Pi's entries: typed for the hot path, built leniently where types refuse."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.capture.adapters.fields import ExitCode
from helix_tui.capture.adapters.lines import ABSENT


class Cost(msgspec.Struct, gc=False):
    """What a request cost, in USD."""

    total: float | None = None


class Usage(msgspec.Struct, gc=False, rename="camel"):
    """Tokens of one request: input without what was cached, output with reasoning."""

    input: int | None = 0
    output: int | None = 0
    cache_read: int | None = 0
    cache_write: int | None = 0
    cache_write_1h: int | None = msgspec.field(default=0, name="cacheWrite1h")
    reasoning: int | None = 0
    cost: Cost | None = None


class Piece(msgspec.Struct, gc=False):
    """A piece of a message; the data of pictures and signatures are left out."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: msgspec.Raw = ABSENT


Content = str | list[Piece] | None


class Message(msgspec.Struct, gc=False, rename="camel"):
    """The fields of a message of any role that are read."""

    role: str = ""
    content: Content = None
    model: str | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    error_message: str | None = None
    response_id: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    is_error: bool | None = None
    command: str | None = None
    output: str | None = None
    exit_code: ExitCode | None = None
    summary: str | None = None


class Entry(msgspec.Struct, gc=False, rename="camel"):
    """One line: the session's head, or an entry of its tree."""

    type: str | None = None
    timestamp: str | None = None
    message: Message | None = None
    # the head
    id: str | None = None
    cwd: str | None = None
    parent_session: str | None = None
    # other entries
    model_id: str | None = None
    name: str | None = None
    summary: str | None = None
    usage: Usage | None = None
    custom_type: str | None = None
    content: str | list[Any] | None = None


decode_entry = msgspec.json.Decoder(Entry).decode
