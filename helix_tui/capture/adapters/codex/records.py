"""Codex's records: typed for the hot path, leniently built where types refuse."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.capture.adapters.fields import count_of, text_of
from helix_tui.capture.salvage import JsonObject

Content = list["Piece"]


class Piece(msgspec.Struct, gc=False):
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
    subagent_history_start_ordinal: int | None = None
    git: Git | None = None
    # turn_context
    model: str | None = None
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
    # event messages
    message: str | None = None
    kind: str | None = None
    images: list[Any] | None = None
    local_images: list[Any] | None = None
    info: TokenInfo | None = None
    exit_code: int | None = None
    success: bool | None = None
    item: ThreadItem | None = None


class Record(Payload, gc=False):
    """One line: an envelope with its payload or, in the old form, the item itself."""

    payload: Payload | None = None
    ordinal: int | None = None
    record_type: str | None = None


decode_record = msgspec.json.Decoder(Record).decode


def lenient_record(raw: JsonObject) -> Record:
    """A record from an untyped object, with every field of another type than usual left out."""
    record = Record(**_fields(raw))
    record.ordinal = raw["ordinal"] if isinstance(raw.get("ordinal"), int) else None
    record.record_type = text_of(raw.get("record_type"))
    if isinstance(raw.get("payload"), dict):
        record.payload = Payload(**_fields(raw["payload"]))
    return record


_TEXTS = (
    "type",
    "id",
    "timestamp",
    "cwd",
    "forked_from_id",
    "parent_thread_id",
    "model",
    "role",
    "name",
    "namespace",
    "call_id",
    "message",
    "kind",
)
_TEXTS_OR_OBJECTS = ("source", "arguments", "input")


def _fields(raw: JsonObject) -> JsonObject:
    fields: JsonObject = {name: text_of(raw.get(name)) for name in _TEXTS}
    for name in _TEXTS_OR_OBJECTS:
        value = raw.get(name)
        fields[name] = value if isinstance(value, str | dict) else None
    for name in ("content", "summary"):
        fields[name] = _content(raw.get(name))
    output = raw.get("output")
    fields["output"] = output if isinstance(output, dict) else _content(output)
    for name in ("images", "local_images"):
        fields[name] = raw[name] if isinstance(raw.get(name), list) else None
    fields["action"] = raw["action"] if isinstance(raw.get("action"), dict) else None
    git = raw.get("git")
    fields["git"] = Git(text_of(git.get("branch"))) if isinstance(git, dict) else None
    start, code = raw.get("subagent_history_start_ordinal"), raw.get("exit_code")
    fields["subagent_history_start_ordinal"] = start if isinstance(start, int) else None
    fields["exit_code"] = code if isinstance(code, int) else None
    fields["success"] = raw["success"] if isinstance(raw.get("success"), bool) else None
    fields["info"] = _info(raw.get("info"))
    fields["item"] = _item(raw.get("item"))
    return fields


def _content(raw: object) -> str | Content | None:
    if isinstance(raw, str):
        return raw
    if not isinstance(raw, list):
        return None
    return [
        Piece(text_of(piece.get("type")) or "", text_of(piece.get("text")))
        for piece in raw
        if isinstance(piece, dict)
    ]


def _info(raw: object) -> TokenInfo | None:
    totals = raw.get("total_token_usage") if isinstance(raw, dict) else None
    if not isinstance(totals, dict):
        return None
    return TokenInfo(Totals(*(count_of(totals.get(name)) for name in Totals.__struct_fields__)))


def _item(raw: object) -> ThreadItem | None:
    if not isinstance(raw, dict):
        return None
    content = _content(raw.get("content"))
    return ThreadItem(
        text_of(raw.get("type")),
        text_of(raw.get("text")),
        content if isinstance(content, list) else None,
    )
