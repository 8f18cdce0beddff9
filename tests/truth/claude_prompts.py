"""What people typed, counted independently: commands, words beside a client's, the queue."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]
# Blocks that Claude Code inserts.
_BLOCK = re.compile(
    r"<(system-reminder|task-notification|agent-notification|ide_opened_file|ide_selection"
    r"|local-command-caveat|local-command-stdout|local-command-stderr|bash-input|bash-stdout"
    r"|bash-stderr)\b[^>]*>.*?(?:</\1>|\Z)",
    re.DOTALL,
)
# Commands of the client among those that occur in the logs at hand.
_CLIENTS = [
    "clear",
    "exit",
    "model",
    "ide",
    "context",
    "doctor",
    "status",
    "mcp",
    "compact",
    "login",
    "help",
    "resume",
    "cost",
]
_NO_WORDS = ("[Request interrupted by user", "Caveat: The messages below", "This session is being")


def typed(text: str) -> str:
    """What a person typed in a text of the user's, as they typed it."""
    text = _BLOCK.sub("", text).strip()
    if text.startswith(_NO_WORDS):
        return ""
    if not text.startswith("<command-"):
        return text
    name = re.search("<command-name>/?(.*?)</command-name>", text)
    words = re.search("<command-args>(.*?)</command-args>", text, re.DOTALL)
    if name is None or name[1] in _CLIENTS:
        return ""
    return f"/{name[1]} {words[1].strip() if words else ''}".strip()


def queued_prompts(records: Iterable[Json]) -> dict[int, tuple[str, Json]]:
    """By the place of the record that handed it over: what only the queue has, and its record."""
    waiting: list[tuple[str, Json]] = []
    found: dict[int, tuple[str, Json]] = {}
    for place, record in enumerate(records):
        if record.get("type") == "user" and waiting:
            said = json.dumps(record.get("message"), ensure_ascii=False)
            waiting = [
                item
                for item in waiting
                if json.dumps(item[0], ensure_ascii=False)[1:-1] not in said
            ]
        if record.get("type") != "queue-operation":
            continue
        content = record.get("content")
        if isinstance(content, list):
            content = "\n\n".join(
                typed(str(block.get("text"))) for block in content if typed(str(block.get("text")))
            )
        if record.get("operation") == "enqueue":
            if isinstance(content, str) and typed(content) and not content.startswith("{"):
                waiting.append((typed(content), record))
        elif record.get("operation") == "remove" and waiting:
            found[place] = waiting.pop(0)
        elif record.get("operation") == "popAll":
            waiting.clear()
    return found
