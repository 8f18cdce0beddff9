"""What the Droid sessions of a home are, counted straight from their lines and settings.

Written from the format notes and the data, not from the adapter, with no thought for speed, so
that a disagreement with Helix points at a real mistake in one of the two.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.truth.figures import Counted, exit_code, sessions
from tests.truth.lines import Json, mapping, moment, pieces, text_or_none, whole

BEGINS = ('{"type":',)
EXITED = re.compile(
    r"\[Process exited with code (-?\d{1,10})\]\s*$"
    r"|^(?:Error: )?Command failed \(exit code:? (-?\d{1,10})\)"
)
REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)


def parts_of(message: Json) -> list[Json]:
    """The blocks of a message."""
    content: Any = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [mapping(part) for part in content] if isinstance(content, list) else []


def is_asked(message: Json) -> bool:
    """Whether a user's message is a person's: its words without reminders, or a picture."""
    parts = parts_of(message)
    if message.get("visibility") == "user_only" or any(
        p.get("type") == "tool_result" for p in parts
    ):
        return False
    said = "\n".join(str(part.get("text") or "") for part in parts if part.get("type") == "text")
    return bool(REMINDER.sub("", said).strip()) or any(p.get("type") == "image" for p in parts)


def count_message(session: Counted, record: Json) -> None:
    """Adds one message."""
    message = mapping(record.get("message"))
    if message.get("role") == "user" and is_asked(message):
        session.ask(text_or_none(record.get("id")) or json.dumps(record, sort_keys=True))
    for part in parts_of(message):
        kind = part.get("type")
        if kind == "tool_use" and text_or_none(part.get("id")):
            session.call(str(part["id"]))
        elif kind == "tool_result" and text_or_none(part.get("tool_use_id")):
            code = exit_code(part.get("exitCode"))
            said = part.get("content")
            told = EXITED.search(said) if isinstance(said, str) and code is None else None
            code = int(told[1] or told[2]) if told else code
            failed = part.get("is_error") is True
            session.end(str(part["tool_use_id"]), code != 0 if code is not None else failed)
        elif kind in ("text", "thinking") and message.get("role") == "assistant":
            session.is_session = True


def count_home(home: Path) -> dict[str, Counted]:
    """Every Droid session of a home by id."""
    found: dict[str, Counted] = {}
    for path in sorted((home / ".factory" / "sessions").rglob("*.jsonl")):
        read = list(pieces(path.read_bytes(), BEGINS))
        records = [record for record in read if record is not None]
        if not records:
            continue
        starts = [record for record in records if record.get("type") == "session_start"]
        native = next(filter(None, (text_or_none(s.get("id")) for s in starts)), path.stem)
        session = found.setdefault(f"droid:{native}", Counted(f"droid:{native}"))
        for start in starts:
            session.cwd = session.cwd or text_or_none(start.get("cwd"))
            above = text_or_none(start.get("parent"))
            session.parent = session.parent or (f"droid:{above}" if above else None)
        for record in records:
            session.saw(moment(record.get("timestamp")))
            if record.get("type") == "message":
                count_message(session, record)
        count_tokens(session, path.with_suffix(".settings.json"))
    return sessions(found)


def count_tokens(session: Counted, settings: Path) -> None:
    """The one sum that a session has; the larger where two files tell one."""
    try:
        usage = mapping(mapping(json.loads(settings.read_bytes())).get("tokenUsage"))
    except (OSError, ValueError, RecursionError):
        return
    session.input = max(session.input, whole(usage.get("inputTokens")))
    session.output = max(session.output, whole(usage.get("outputTokens")))
    session.cache_read = max(session.cache_read, whole(usage.get("cacheReadTokens")))
    session.cache_write = max(session.cache_write, whole(usage.get("cacheCreationTokens")))
    session.reasoning = max(session.reasoning, whole(usage.get("thinkingTokens")))
