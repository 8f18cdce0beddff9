"""Droid's records: typed for the hot path, built leniently where types refuse."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.capture.adapters.fields import ExitCode
from helix_tui.capture.adapters.lines import ABSENT


class Block(msgspec.Struct, gc=False):
    """A block of a message; the data of pictures is left out."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = ABSENT
    tool_use_id: str | None = None
    content: str | list[Any] | dict[str, Any] | None = None
    is_error: bool | None = None
    exit_code: ExitCode | None = msgspec.field(default=None, name="exitCode")


class Message(msgspec.Struct, gc=False):
    """Something that was said, by whom, and for whose eyes."""

    role: str = ""
    content: str | list[Block] | None = None
    visibility: str | None = None
    model: str | None = None


class Record(msgspec.Struct, gc=False, rename="camel"):
    """One line: the session's head, a message, or something else."""

    type: str | None = None
    id: str | None = None
    timestamp: str | None = None
    message: Message | None = None
    # the head
    title: str | None = None
    session_title: str | None = None
    cwd: str | None = None
    parent: str | None = None
    # a compaction
    summary: str | None = None
    summary_text: str | None = None


class TokenUsage(msgspec.Struct, gc=False, rename="camel"):
    """What a session has used so far: input without what was cached."""

    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cache_creation_tokens: int | None = 0
    cache_read_tokens: int | None = 0
    thinking_tokens: int | None = 0


class Settings(msgspec.Struct, gc=False, rename="camel"):
    """The document beside a log, as far as it is read."""

    model: str | None = None
    token_usage: TokenUsage | None = None


decode_record = msgspec.json.Decoder(Record).decode
