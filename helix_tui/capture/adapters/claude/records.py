"""Claude Code's records: typed for the hot path, built leniently where types refuse."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.capture.adapters.fields import compact_json, count_of, text_of
from helix_tui.schema import TICKS_PER_USD

# `Raw` keeps a value's bytes undecoded; its empty form stands for "absent".
ABSENT = msgspec.Raw(b"")
MAX_USD = 100_000


class CacheCreation(msgspec.Struct, gc=False):
    """How much of what was written to the cache is kept there for an hour."""

    ephemeral_1h_input_tokens: int | None = 0


class MessageUsage(msgspec.Struct, gc=False):
    """The token counts of an API message; input excludes what the cache gave or took."""

    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    cache_creation_input_tokens: int | None = 0
    cache_creation: CacheCreation | None = None


class Block(msgspec.Struct, gc=False):
    """A content block of a message; images' data and thinking's signatures are left out."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = ABSENT
    tool_use_id: str | None = None
    content: str | list[Block] | None = None
    is_error: bool | None = None


class Message(msgspec.Struct, gc=False):
    """An API message; one is written as several records that share its id."""

    id: str | None = None
    model: str | None = None
    content: str | list[Block] | None = None
    usage: MessageUsage | None = None


class ClaudeRecord(
    msgspec.Struct,
    rename={
        "session_id": "sessionId",
        "parent_uuid": "parentUuid",
        "git_branch": "gitBranch",
        "is_sidechain": "isSidechain",
        "agent_id": "agentId",
        "is_meta": "isMeta",
        "is_compact_summary": "isCompactSummary",
        "is_api_error": "isApiErrorMessage",
        "cost_usd": "costUSD",
        "forked_from": "forkedFrom",
    },
    gc=False,
):
    """One line of a log, without the structured copies that repeat its content."""

    type: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    is_sidechain: bool | None = None
    agent_id: str | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error: bool | None = None
    subtype: str | None = None
    message: Message | None = None
    cost_usd: float | None = None
    forked_from: dict[str, Any] | None = None


decode_record = msgspec.json.Decoder(ClaudeRecord).decode


def lenient_record(raw: dict[str, Any]) -> ClaudeRecord:
    """A record from an untyped object, without fields of unexpected types."""
    return ClaudeRecord(
        type=text_of(raw.get("type")),
        uuid=text_of(raw.get("uuid")),
        parent_uuid=text_of(raw.get("parentUuid")),
        session_id=text_of(raw.get("sessionId")),
        timestamp=text_of(raw.get("timestamp")),
        cwd=text_of(raw.get("cwd")),
        git_branch=text_of(raw.get("gitBranch")),
        version=text_of(raw.get("version")),
        is_sidechain=raw.get("isSidechain") is True,
        agent_id=text_of(raw.get("agentId")),
        is_meta=raw.get("isMeta") is True,
        is_compact_summary=raw.get("isCompactSummary") is True,
        is_api_error=raw.get("isApiErrorMessage") is True,
        subtype=text_of(raw.get("subtype")),
        message=_message(raw.get("message")),
        cost_usd=_number(raw.get("costUSD")),
        forked_from=raw["forkedFrom"] if isinstance(raw.get("forkedFrom"), dict) else None,
    )


def _message(raw: object) -> Message | None:
    if not isinstance(raw, dict):
        return None
    return Message(
        id=text_of(raw.get("id")),
        model=text_of(raw.get("model")),
        content=_content(raw.get("content")),
        usage=_usage(raw.get("usage")),
    )


def _content(raw: object) -> str | list[Block] | None:
    if isinstance(raw, str):
        return raw
    if not isinstance(raw, list):
        return None
    return [_block(item) for item in raw]


def _block(raw: object) -> Block:
    # A block that is no object keeps its place, so that the ones after it keep their index.
    if isinstance(raw, str):
        return Block(type="text", text=raw)
    if not isinstance(raw, dict):
        return Block()
    return Block(
        type=text_of(raw.get("type")) or "",
        text=text_of(raw.get("text")),
        thinking=text_of(raw.get("thinking")),
        id=text_of(raw.get("id")),
        name=text_of(raw.get("name")),
        input=msgspec.Raw(compact_json(raw["input"]).encode()) if "input" in raw else ABSENT,
        tool_use_id=text_of(raw.get("tool_use_id")),
        content=_content(raw.get("content")),
        is_error=raw.get("is_error") is True,
    )


def _usage(raw: object) -> MessageUsage | None:
    if not isinstance(raw, dict):
        return None
    return MessageUsage(
        count_of(raw.get("input_tokens")),
        count_of(raw.get("output_tokens")),
        count_of(raw.get("cache_read_input_tokens")),
        count_of(raw.get("cache_creation_input_tokens")),
        _cache_creation(raw.get("cache_creation")),
    )


def _cache_creation(raw: object) -> CacheCreation | None:
    if not isinstance(raw, dict):
        return None
    return CacheCreation(count_of(raw.get("ephemeral_1h_input_tokens")))


def _number(raw: object) -> float | None:
    return raw if isinstance(raw, int | float) and not isinstance(raw, bool) else None


def ticks_of(usd: float | None) -> int | None:
    """The cost that the client recorded, unless no message can cost that much."""
    return round(usd * TICKS_PER_USD) if usd is not None and 0 <= usd <= MAX_USD else None
