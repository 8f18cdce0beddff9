"""The events of a home's Claude Code sessions, laid out as one list a session.

Like the counters that walk over it: from the format notes alone, standard library only.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.truth.claude_counter import (
    Json,
    is_prompt,
    owner_of,
    records,
    session_files,
    when,
)
from tests.truth.claude_prompts import queued_prompts, typed

Place = tuple[str, int]  # a record's uuid and the index of a block in it
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
REFUSALS = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "The user rejected",
    "Claude requested permissions to",
    "This command requires approval",
    "Permission to use",
    "Permission for this action",
    "This Bash command contains multiple operations",
)
# Where a client puts nothing around what a person said instead of allowing a call.
BARE_WORDS = re.compile(
    r"(?!Exit code|Error|<|\[)[^\n]*\b(?:please|I|we)\b[^\n]*(?:\n[^\n]+)?", re.I
)
CASCADES = ("Sibling tool call errored", "Cancelled: parallel tool call")
API_ERRORS = (
    "API Error",
    "Prompt is too long",
    "Credit balance is too low",
    "Invalid API key",
    "Claude AI usage limit reached",
    "Claude usage limit reached",
    "You've hit your limit",
    "OAuth token has expired",
)
INTERRUPTION = "[Request interrupted by user"


@dataclass(frozen=True)
class Event:
    """One thing that happened in a session."""

    kind: str
    ts: int | None
    text: str = ""
    tool: str = ""
    call_id: str = ""
    input: Json = field(default_factory=dict)
    is_error: bool = False
    path: Path = Path()

    @property
    def is_refusal(self) -> bool:
        said = unwrapped(self.text)
        return self.is_error and (
            said.startswith(REFUSALS)
            or "was blocked. For security" in said.split("\n")[0]
            or BARE_WORDS.fullmatch(self.text.strip()) is not None
        )

    @property
    def is_cascade(self) -> bool:
        return self.is_error and unwrapped(self.text).startswith(CASCADES)

    @property
    def is_failure(self) -> bool:
        return self.is_error and not self.is_refusal and not self.is_cascade

    @property
    def asked(self) -> str:
        """What makes two calls the same; what is said of a command does not matter."""
        what = self.input.get("command") if self.tool == "Bash" else None
        return json.dumps([self.tool, what or self.input], sort_keys=True)


def unwrapped(text: str) -> str:
    """A result's text without the tag that some clients put around errors."""
    return text.removeprefix("<tool_use_error>")


def home_events(home: Path) -> dict[str, list[Event]]:
    """The events of every session, its files in the order of their first times."""
    parts: dict[str, list[tuple[str, list[tuple[Place, Event]]]]] = {}
    for path in session_files(home):
        own: dict[str, list[Json]] = {}
        roots: dict[str, str] = {}
        repeats: Counter[str] = Counter()
        listed = list(records(path))
        handed_over = queued_prompts(listed)
        for place, record in enumerate(listed):
            owner = owner_of(record, path, roots)
            if not owner:
                continue
            if place in handed_over:
                record["handed_over"] = handed_over[place]
            if "uuid" not in record:  # told apart by content, and how often it came here
                said = json.dumps([owner[0], record.get("timestamp"), record.get("message")])
                record["uuid"] = f"{said} {repeats[said]}"
                repeats[said] += 1
            own.setdefault(owner[0], []).append(record)
        for name, found in own.items():
            times = [str(record["timestamp"]) for record in found if when(record)]
            events = [placed for record in found for placed in events_of(record, path)]
            parts.setdefault(name, []).append((min(times, default="~"), events))
    return {name: list(once(sorted(found, key=first_time))) for name, found in parts.items()}


def first_time(part: tuple[str, object]) -> str:
    """The key that puts the files of a session in order."""
    return part[0]


def once(parts: Iterable[tuple[str, list[tuple[Place, Event]]]]) -> Iterator[Event]:
    """The events of several files, those that were copied from one to the next only once."""
    seen = set()
    for _, events in parts:
        for place, event in events:
            if place not in seen:
                seen.add(place)
                yield event


def events_of(record: Json, path: Path) -> Iterator[tuple[Place, Event]]:
    """What a record says, each event with the record's uuid and the block's index."""
    uuid, ts = str(record["uuid"]), milliseconds(record)
    kind, subtype = record.get("type"), record.get("subtype")
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if "handed_over" in record:
        said, enqueued = record["handed_over"]
        yield (uuid, -2), Event("prompt", milliseconds(enqueued), said, path=path)
    if is_prompt(record):
        yield (uuid, -1), Event("prompt", ts, prompt_text(record), path=path)
    elif kind == "system" and subtype in ("compact_boundary", "api_error"):
        name = "compaction" if subtype == "compact_boundary" else "api_error"
        yield (uuid, -1), Event(name, ts, path=path)
    if kind not in ("user", "assistant"):
        return
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    for index, block in enumerate(blocks):
        if isinstance(block, dict):
            event = block_event(record, block, ts, path)
            if event:
                yield (uuid, index), event


def block_event(record: Json, block: Json, ts: int | None, path: Path) -> Event | None:
    """What one block of a user's or an assistant's message says, but for prompts."""
    kind, text = block.get("type"), str(block.get("text") or "")
    if kind == "tool_result":
        return Event(
            "result",
            ts,
            result_text(block.get("content")),
            call_id=str(block.get("tool_use_id") or ""),
            is_error=block.get("is_error") is True,
            path=path,
        )
    if record["type"] == "user":
        is_interruption = kind == "text" and text.startswith(INTERRUPTION)
        return Event("interruption", ts, path=path) if is_interruption else None
    if kind == "tool_use":
        asked = block.get("input")
        return Event(
            "call",
            ts,
            tool=str(block.get("name") or ""),
            call_id=str(block.get("id") or ""),
            input=asked if isinstance(asked, dict) else {},
            path=path,
        )
    if kind == "text" and is_clients(record):
        return Event("api_message", ts, path=path) if text.startswith(API_ERRORS) else None
    if kind == "text":
        return Event("reply", ts, text, path=path)
    is_thought = kind in ("thinking", "redacted_thinking")
    return Event("thinking", ts, path=path) if is_thought else None


def is_clients(record: Json) -> bool:
    """Whether the client wrote an assistant's message by itself."""
    model = record["message"].get("model")
    return model == "<synthetic>" or bool(record.get("isApiErrorMessage"))


def milliseconds(record: Json) -> int | None:
    """A record's time since the epoch."""
    moment = when(record)
    if moment is None:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - EPOCH) // timedelta(milliseconds=1)


def prompt_text(record: Json) -> str:
    """What a person typed, without what the client put in front of it."""
    content = (
        record["attachment"].get("prompt")
        if record["type"] == "attachment"
        else record["message"].get("content")
    )
    if isinstance(content, str):
        return typed(content)
    texts = [str(block.get("text", "")) for block in content if isinstance(block, dict)]
    return "\n".join(typed(text) for text in texts if typed(text))


def result_text(content: object) -> str:
    """A tool's result as text, whether it came as a string or in blocks."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(
        str(block.get("text", ""))
        for block in blocks
        if isinstance(block, dict) and block.get("type") == "text"
    )
