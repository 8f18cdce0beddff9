"""Tell user content that a person wrote from what the client inserted."""

from __future__ import annotations

from helix_tui.capture.adapters.claude.records import Block
from helix_tui.text.asked import is_prompt

IMAGE = "[image]"


def human_blocks(blocks: list[Block]) -> list[int]:
    """The indexes of the blocks that make up a prompt; none where a tool's result is among them."""
    if any(block.type == "tool_result" for block in blocks):
        return []
    return [
        index
        for index, block in enumerate(blocks)
        if block.type == "image" or (block.type == "text" and is_prompt(block.text or ""))
    ]


def block_text(block: Block) -> str:
    """The text of a block."""
    if block.type == "image":
        return IMAGE
    return block.text or ""


def result_text(content: str | list[Block] | None) -> str:
    """The text of a tool's result, with a placeholder for each picture."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "\n".join(block_text(block) or f"[{block.type}]" for block in content)
