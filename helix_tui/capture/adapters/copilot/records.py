"""Copilot's events: typed for the hot path, built leniently where types refuse."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.capture.adapters.fields import ExitCode
from helix_tui.capture.adapters.lines import ABSENT


class Place(msgspec.Struct, gc=False):
    """Where a session works, as it begins and each time it goes on."""

    cwd: str | None = None
    branch: str | None = None
    repository: str | None = None


class Request(msgspec.Struct, gc=False, rename="camel"):
    """A tool's call as the model asks for it."""

    tool_call_id: str | None = None
    name: str | None = None
    arguments: msgspec.Raw = ABSENT


class ShellEnd(msgspec.Struct, gc=False, rename="camel"):
    """How a command ended, by newer versions."""

    exit_code: ExitCode | None = None


class Result(msgspec.Struct, gc=False, rename="camel"):
    """What a call came to."""

    content: str | list[Any] | dict[str, Any] | None = None
    shell_execution: ShellEnd | None = None


class Failure(msgspec.Struct, gc=False):
    """Why a call came to nothing."""

    message: str | None = None
    code: str | None = None


class Metrics(msgspec.Struct, gc=False):
    """Figures of a call; the exit code is there where it is not 0."""

    exit_code: ExitCode | None = None


class Telemetry(msgspec.Struct, gc=False):
    """What is measured of a call."""

    metrics: Metrics | None = None


class Tokens(msgspec.Struct, gc=False, rename="camel"):
    """Tokens: input with what was cached and written, output with reasoning."""

    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cache_read_tokens: int | None = 0
    cache_write_tokens: int | None = 0
    reasoning_tokens: int | None = 0
    model: str | None = None


class ModelMetrics(msgspec.Struct, gc=False):
    """What a model has taken in a session so far."""

    usage: Tokens | None = None


class Data(msgspec.Struct, gc=False, rename="camel"):
    """The fields of any event that are read; each type has some of them."""

    # session.start, session.resume, session.model_change
    session_id: str | None = None
    selected_model: str | None = None
    copilot_version: str | None = None
    new_model: str | None = None
    context: Place | None = None
    # user.message, assistant.message
    content: str | None = None
    source: str | None = None
    delivery: str | None = None
    message_id: str | None = None
    model: str | None = None
    reasoning_text: str | None = None
    output_tokens: int | None = None
    tool_requests: list[Request] | None = None
    # tools
    tool_call_id: str | None = None
    tool_name: str | None = None
    arguments: msgspec.Raw = ABSENT
    parent_tool_call_id: str | None = None
    success: bool | None = None
    result: Result | None = None
    error: Failure | str | None = None
    tool_telemetry: Telemetry | None = None
    shell_execution: ShellEnd | None = None
    # sub-agents
    agent_name: str | None = None
    agent_display_name: str | None = None
    # what was taken
    model_metrics: dict[str, ModelMetrics] | None = None
    summary_content: str | None = None
    compaction_tokens_used: Tokens | None = None


class Event(msgspec.Struct, gc=False, rename="camel"):
    """One line."""

    type: str = ""
    id: str | None = None
    timestamp: str | None = None
    agent_id: str | None = None
    data: Data | None = None


decode_event = msgspec.json.Decoder(Event).decode
