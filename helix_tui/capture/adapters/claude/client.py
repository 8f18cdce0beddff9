"""Records of Claude Code's own program: notices, attachments, bookkeeping."""

from __future__ import annotations

from typing import Any

from helix_tui.capture.adapters.claude.prompts import IMAGE, block_text, human_blocks
from helix_tui.capture.adapters.claude.records import Block, lenient_record
from helix_tui.capture.adapters.fields import compact_json
from helix_tui.capture.salvage import JsonObject

# Fields that every record repeats, left out where the rest of a record is kept as JSON.
_ENVELOPE = frozenset(
    (
        "type",
        "uuid",
        "parentUuid",
        "logicalParentUuid",
        "sessionId",
        "timestamp",
        "cwd",
        "gitBranch",
        "version",
        "isSidechain",
        "userType",
        "slug",
        "entrypoint",
        "agentId",
        "isMeta",
    )
)


def instructions_in(attachment: dict[str, Any]) -> list[str]:
    """The instructions that an attachment hands to the model, each file by itself."""
    kind = attachment.get("type")
    if kind == "instructions":
        files = attachment.get("files")
        listed = files if isinstance(files, list) else []
        texts = [file.get("content") for file in listed if isinstance(file, dict)]
    elif kind == "nested_memory":
        content = attachment.get("content")
        texts = [content.get("content") if isinstance(content, dict) else content]
    else:
        return []
    return [text for text in texts if isinstance(text, str) and text.strip()]


def queued_prompt(attachment: dict[str, Any]) -> str | None:
    """A prompt that a person queued while the agent was at work, if that was attached."""
    if attachment.get("type") != "queued_command":
        return None
    prompt = lenient_record({"message": {"content": attachment.get("prompt")}}).message
    content = prompt.content if prompt else None
    blocks = [Block(type="text", text=content)] if isinstance(content, str) else content
    human = human_blocks(blocks or [])
    if human and blocks and attachment.get("commandMode") in (None, "prompt"):
        return "\n\n".join(block_text(blocks[index]) for index in human)
    return None


def client_text(raw: JsonObject) -> str:
    """The words of a client's record, else what it holds beyond the envelope, as JSON."""
    rest = {key: value for key, value in raw.items() if key not in _ENVELOPE}
    content = rest.pop("content", None)
    if isinstance(content, str) and not rest.keys() - {"subtype", "level"}:
        return content
    if content is not None:
        rest["content"] = _without_images(content)
    return compact_json(_without_images(rest))


def _without_images(value: object) -> object:
    """The value with the data of pictures left out."""
    if isinstance(value, list):
        return [_without_images(item) for item in value]
    if isinstance(value, dict):
        if value.get("type") == "image":
            return IMAGE
        return {key: _without_images(item) for key, item in value.items()}
    return value
