"""Codex's records: typed for the hot path, built leniently where types refuse."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.capture.adapters.fields import ExitCode, Index

Content = list["CodexContent"]


class CodexContent(msgspec.Struct, gc=False):
    """A piece of a message's content; the data of pictures is left out."""

    type: str = ""
    text: str | None = None


class Totals(msgspec.Struct, gc=False):
    """Token counts: input includes what was cached, output includes reasoning."""

    input_tokens: int | None = 0
    cached_input_tokens: int | None = 0
    cache_write_input_tokens: int | None = 0
    output_tokens: int | None = 0
    reasoning_output_tokens: int | None = 0


class TokenInfo(msgspec.Struct, gc=False):
    """What a `token_count` says; `last_token_usage` is not to be trusted and not read."""

    total_token_usage: Totals | None = None


class Git(msgspec.Struct, gc=False):
    """The repository as a rollout began."""

    branch: str | None = None
    repository_url: str | None = None


class ThreadItem(msgspec.Struct, gc=False):
    """An item as the paginated history keeps it."""

    type: str | None = None
    text: str | None = None
    content: Content | None = None


class Payload(msgspec.Struct, gc=False):
    """The fields of any record's payload that are read; each kind of record has some of them."""

    type: str | None = None
    # session_meta and the old form's first line
    id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    source: str | dict[str, Any] | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    subagent_history_start_ordinal: Index | None = None
    git: Git | None = None
    cli_version: str | None = None
    # What the agent was told; null says that it was nothing.
    instructions: str | dict[str, Any] | msgspec.UnsetType | None = msgspec.UNSET
    # turn_context
    model: str | None = None
    user_instructions: str | dict[str, Any] | msgspec.UnsetType | None = msgspec.UNSET
    # world_state
    state: dict[str, Any] | None = None
    # response items
    role: str | None = None
    content: str | Content | None = None
    summary: str | Content | None = None
    name: str | None = None
    namespace: str | None = None
    call_id: str | None = None
    arguments: str | dict[str, Any] | None = None
    input: str | dict[str, Any] | None = None
    action: dict[str, Any] | None = None
    output: str | Content | dict[str, Any] | None = None
    tools: list[Any] | None = None
    # event messages
    message: str | None = None
    reason: str | None = None
    kind: str | None = None
    images: list[Any] | None = None
    local_images: list[Any] | None = None
    info: TokenInfo | None = None
    exit_code: ExitCode | None = None
    success: bool | None = None
    result: str | dict[str, Any] | None = None
    item: ThreadItem | None = None


class CodexRecord(Payload, gc=False):
    """One line: an envelope with its payload or, in the old form, the item itself."""

    payload: Payload | None = None
    ordinal: Index | None = None
    record_type: str | None = None


decode_record = msgspec.json.Decoder(CodexRecord).decode
