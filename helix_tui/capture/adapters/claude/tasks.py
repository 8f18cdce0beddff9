"""What sub-agents were started for: the description that a call gave, by the agent it started."""

from __future__ import annotations

import re

import msgspec

from helix_tui.capture.adapters.claude.records import Block
from helix_tui.text.redact import redact

TASK_TOOLS = frozenset(("Task", "Agent"))
_MOST_OPEN = 256
_MOST_READ = 4000
_MOST_TOLD = 400
_AGENT = re.compile(r"\bagentId: ([0-9A-Za-z_-]{4,64})\b")


class _Given(msgspec.Struct):
    description: str | None = None


_decode = msgspec.json.Decoder(_Given).decode


def note_task(tasks: dict[str, str], block: Block) -> None:
    """Remember what a call starts a sub-agent for."""
    try:
        description = _decode(block.input).description
    except (msgspec.DecodeError, UnicodeDecodeError):
        return  # given otherwise than any version does: the sub-agent's own prompt names it
    if block.id and description:
        # The reader's state stays in the store: no secret may go into it.
        tasks[block.id] = redact(description[:_MOST_READ])[:_MOST_TOLD]
        if len(tasks) > _MOST_OPEN:
            del tasks[next(iter(tasks))]


def started_agent(tasks: dict[str, str], call_id: str, result: str) -> tuple[str, str] | None:
    """The sub-agent that a call's result names, and what it was started for."""
    description = tasks.pop(call_id, None)
    named = _AGENT.search(result) if description else None
    return (named[1], description) if named and description else None
