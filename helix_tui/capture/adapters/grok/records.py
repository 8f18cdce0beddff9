"""Grok's records: typed for the hot path, with repeated content left undecoded."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.capture.adapters.fields import ExitCode, Index, Millis, Seconds

ABSENT = msgspec.Raw(b"")


class GrokContent(msgspec.Struct, gc=False):
    """A piece of content: text, or a picture whose data is left out."""

    type: str = ""
    text: str | None = None
    meta: dict[str, Any] | None = msgspec.field(default=None, name="_meta")


Content = str | list[GrokContent] | None


class Function(msgspec.Struct, gc=False):
    """The older form's way to name a tool."""

    name: str | None = None
    arguments: str | dict[str, Any] | None = None


class ToolCall(msgspec.Struct, gc=False):
    """A call as a row of the chat has it."""

    id: str | None = None
    name: str | None = None
    arguments: str | dict[str, Any] | None = None
    function: Function | None = None


class Backend(msgspec.Struct, gc=False):
    """A call that the provider itself carried out."""

    tool_type: str | None = None
    id: str | None = None
    call_id: str | None = None
    name: str | None = None


class ChatRow(msgspec.Struct, gc=False):
    """One row of `chat_history.jsonl`: the newer form has a `type`, the older one a `role`."""

    type: str | None = None
    role: str | None = None
    content: Content = None
    synthetic_reason: str | None = None
    prompt_index: Index | None = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str | None = None
    model_id: str | None = None
    reasoning_content: str | None = None
    summary: list[GrokContent] | None = None
    kind: Backend | None = None
    timestamp: str | None = None


class Tokens(msgspec.Struct, gc=False, rename="camel"):
    """What a turn cost: input includes what was cached, output includes reasoning."""

    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cached_read_tokens: int | None = 0
    cache_creation_tokens: int | None = 0
    reasoning_tokens: int | None = 0
    cost_usd_ticks: int | None = None
    cost_is_partial: bool | None = None
    model_calls: int | None = None
    model_usage: dict[str, Any] | None = None


class RawOutput(msgspec.Struct, gc=False):
    """How a call ended; the output, which every update repeats as a list of bytes, is skipped."""

    exit_code: ExitCode | None = None
    exit_code_camel: ExitCode | None = msgspec.field(default=None, name="exitCode")
    timed_out: bool | None = None


class Named(msgspec.Struct, gc=False):
    """The tool of a call."""

    name: str | None = None


class UpdateMeta(msgspec.Struct, gc=False):
    """What is said beside an update."""

    tool: Named | None = msgspec.field(default=None, name="x.ai/tool")
    prompt_index: Index | None = msgspec.field(default=None, name="promptIndex")
    model_id: str | None = msgspec.field(default=None, name="modelId")
    is_hidden: bool | None = msgspec.field(default=None, name="hideFromScrollback")


class Update(msgspec.Struct, gc=False):
    """One step of the stream; tool outputs stay undecoded until they are wanted."""

    kind: str = msgspec.field(default="", name="sessionUpdate")
    call_id: str | None = msgspec.field(default=None, name="toolCallId")
    status: str | None = None
    title: str | None = None
    content: GrokContent | list[msgspec.Raw] | None = None
    raw_input: msgspec.Raw = msgspec.field(default=ABSENT, name="rawInput")
    raw_output: RawOutput | str | None = msgspec.field(default=None, name="rawOutput")
    meta: UpdateMeta | None = msgspec.field(default=None, name="_meta")
    prompt_id: str | None = None
    usage: Tokens | None = None
    child_session_id: str | None = None


class Stamps(msgspec.Struct, gc=False):
    """When and in which order an update was made."""

    event_id: str | None = msgspec.field(default=None, name="eventId")
    made_ms: Millis | None = msgspec.field(default=None, name="agentTimestampMs")
    is_hidden: bool | None = msgspec.field(default=None, name="hideFromScrollback")


class Params(msgspec.Struct, gc=False):
    """An update with its stamps."""

    update: Update | None = None
    meta: Stamps | None = msgspec.field(default=None, name="_meta")


class UpdateLine(Params, gc=False):
    """One line of `updates.jsonl`; the oldest have no envelope."""

    timestamp: Seconds | None = None
    params: Params | None = None


class Telemetry(msgspec.Struct, gc=False):
    """One line of `events.jsonl`."""

    ts: str | None = None
    type: str = ""
    model_id: str | None = None
    outcome: str | None = None
    tool_call_id: str | None = None


class Info(msgspec.Struct, gc=False):
    """Which session a summary is about."""

    id: str | None = None
    cwd: str | None = None


class GrokSummary(msgspec.Struct, gc=False):
    """`summary.json`."""

    info: Info | None = None
    created_at: str | None = None
    updated_at: str | None = None
    last_active_at: str | None = None
    current_model_id: str | None = None
    parent_session_id: str | None = None
    session_kind: str | None = None
    forked_at: str | None = None
    inherited_prefix_len: Index | None = None
    head_branch: str | None = None
    git_remotes: list[Any] | None = None
    session_summary: str | None = None
    generated_title: str | None = None
    title_is_manual: bool | None = None


decode_row = msgspec.json.Decoder(ChatRow, strict=False).decode
decode_line = msgspec.json.Decoder(UpdateLine, strict=False).decode
decode_telemetry = msgspec.json.Decoder(Telemetry, strict=False).decode


class _WrappedParams(msgspec.Struct, gc=False):
    type: str = ""
    content: GrokContent | None = None
    text: str | None = None


_decode_wrapped = msgspec.json.Decoder(_WrappedParams).decode


def output_text(content: GrokContent | list[msgspec.Raw] | None) -> str:
    """A tool's output, from the pieces of an update."""
    if not isinstance(content, list):
        return content.text or "" if content else ""
    texts: list[str] = []
    for raw in content:
        try:
            piece = _decode_wrapped(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            texts.append(bytes(raw).decode("utf-8", "replace"))
            continue
        inner = piece.content.text if piece.content else piece.text
        texts.append(inner if inner is not None else bytes(raw).decode("utf-8", "replace"))
    return "\n".join(texts)
