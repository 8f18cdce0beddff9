"""What Cursor writes, by the fields that are read of it."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec import Raw

from helix_tui.capture.adapters.lenient import any_json, lenient

T = TypeVar("T", bound=msgspec.Struct)


class Block(msgspec.Struct, gc=False):
    """A piece of what was said or done."""

    type: str = ""
    text: str = ""
    id: str = ""
    name: str = ""
    input: Raw = Raw(b"{}")
    tool_use_id: str = ""
    content: Raw = Raw(b'""')
    is_error: bool = False


class Said(msgspec.Struct, gc=False):
    """What a row holds."""

    content: list[Block] = []


class TranscriptRow(msgspec.Struct, gc=False):
    """A row of a transcript: no id, no time, no model."""

    role: str = ""
    message: Said = msgspec.field(default_factory=Said)


class Tokens(msgspec.Struct, gc=False, rename="camel"):
    """What an answer took; zero in all current versions."""

    input_tokens: int = 0
    output_tokens: int = 0


class ToolRun(msgspec.Struct, gc=False, rename="camel"):
    """A call and what came of it."""

    name: str = ""
    raw_args: str = ""
    # What some tools have in its place.
    params: str = ""
    result: str = ""
    status: str = ""


class Thinking(msgspec.Struct, gc=False):
    """What the model thought."""

    text: str = ""


class Bubble(msgspec.Struct, gc=False, rename="camel"):
    """One thing of a conversation in the editor's database; 1 is a person's, 2 the agent's."""

    type: int = 0
    text: str = ""
    created_at: str | int | float | None = None
    token_count: Tokens = msgspec.field(default_factory=Tokens)
    tool_former_data: ToolRun | None = None
    thinking: Thinking | None = None


class Header(msgspec.Struct, gc=False, rename="camel"):
    """A bubble's place in its conversation."""

    bubble_id: str = ""


class ModelConfig(msgspec.Struct, gc=False, rename="camel"):
    """The model that was chosen."""

    model_name: str = ""


class Composer(msgspec.Struct, gc=False, rename="camel"):
    """A conversation in the editor's database."""

    name: str = ""
    created_at: str | int | float | None = None
    last_updated_at: str | int | float | None = None
    full_conversation_headers_only: list[Header] = []
    model_config: ModelConfig = msgspec.field(default_factory=ModelConfig)


class ChatMeta(msgspec.Struct, gc=False, rename="camel"):
    """What the command line knows of a conversation."""

    name: str = ""
    created_at: str | int | float | None = None


def decoded(data: bytes, kind: type[T]) -> T | None:
    """An object, as much of it as can be read; None for what is none."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        value = any_json(data)
    return lenient(value, kind) if isinstance(value, dict) else None
