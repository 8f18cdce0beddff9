"""Gemini's rows and documents: typed for the hot path, built leniently where types refuse."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.capture.adapters.gemini.parts import Content, FunctionResponse
from helix_tui.capture.adapters.lines import ABSENT


class Tokens(msgspec.Struct, gc=False):
    """Tokens of one request: input with what was cached, output without thoughts."""

    input: int | None = 0
    output: int | None = 0
    cached: int | None = 0
    thoughts: int | None = 0
    tool: int | None = 0


class Thought(msgspec.Struct, gc=False):
    """What the model was thinking, in a line and in full."""

    subject: str | None = None
    description: str | None = None


class Answered(msgspec.Struct, gc=False, rename="camel"):
    """A part of a call's result."""

    function_response: FunctionResponse | None = None


class Call(msgspec.Struct, gc=False, rename="camel"):
    """A tool's call, with its result once it has one."""

    id: str | None = None
    name: str | None = None
    args: msgspec.Raw = ABSENT
    status: str | None = None
    result: list[Answered] | None = None
    result_display: str | dict[str, Any] | list[Any] | None = None


class Changes(msgspec.Struct, gc=False, rename="camel"):
    """What a `$set` row changes of the session."""

    session_id: str | None = None
    start_time: str | None = None
    last_updated: str | None = None
    summary: str | None = None
    messages: list[Row] | None = None


class Row(msgspec.Struct, gc=False, rename="camel"):
    """One line: the session's head, a message, a change, or a rewind."""

    # the head, which a document has as well
    session_id: str | None = None
    project_hash: str | None = None
    start_time: str | None = None
    last_updated: str | None = None
    summary: str | None = None
    # a message
    id: str | None = None
    timestamp: str | None = None
    type: str | None = None
    content: Content = None
    display_content: Content = None
    model: str | None = None
    tokens: Tokens | None = None
    thoughts: list[Thought] | None = None
    tool_calls: list[Call] | None = None
    # what is done to the ones before
    changes: Changes | None = msgspec.field(default=None, name="$set")
    rewound_to: str | None = msgspec.field(default=None, name="$rewindTo")


class Document(msgspec.Struct, gc=False, rename="camel"):
    """A session as it was kept before: one document, rewritten with every change."""

    session_id: str | None = None
    project_hash: str | None = None
    start_time: str | None = None
    last_updated: str | None = None
    summary: str | None = None
    messages: list[Row] | None = None


decode_row = msgspec.json.Decoder(Row).decode
decode_document = msgspec.json.Decoder(Document).decode
