"""What the Pi sessions of a home are, counted straight from their lines.

Written from the format notes and the data, not from the adapter, with no thought for speed, so
that a disagreement with Helix points at a real mistake in one of the two.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.truth.figures import Counted, sessions
from tests.truth.lines import Json, mapping, moment, pieces, text_or_none, whole

BEGINS = ('{"type":',)
TICKS_PER_USD = 10**10
EXITED = re.compile(r"Command exited with code (-?\d{1,10})\s*$")


def words_of(content: object) -> str:
    """The texts of a content."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(mapping(part).get("text") or "") for part in parts)


def is_asked(content: object) -> bool:
    """Whether a user's message says or shows anything."""
    parts: list[Any] = content if isinstance(content, list) else []
    pictures = any(mapping(part).get("type") == "image" for part in parts)
    return bool(words_of(content).strip()) or pictures


def native_of(path: Path, head: Json | None) -> str:
    """The id of the first line, else the one in the file's name."""
    named = text_or_none(head.get("id")) if head and head.get("type") == "session" else None
    return named or path.stem.rpartition("_")[2]


def count_home(home: Path) -> dict[str, Counted]:
    """Every Pi session of a home by id."""
    found: dict[str, Counted] = {}
    spent: dict[str, tuple[str, Json]] = {}
    costs: dict[str, list[float]] = {}
    began: dict[str, datetime] = {}
    told: list[tuple[str, str, Json]] = []
    for path in sorted((home / ".pi" / "agent" / "sessions").glob("*/*.jsonl")):
        read = list(pieces(path.read_bytes(), BEGINS))
        records = [record for record in read if record is not None]
        if not records:
            continue
        head = mapping(read[0])
        name = f"pi:{native_of(path, head)}"
        session = found.setdefault(name, Counted(name))
        is_fork = head.get("type") == "session" and bool(text_or_none(head.get("parentSession")))
        born = moment(head.get("timestamp")) if is_fork else None
        for record in records:
            time = moment(record.get("timestamp"))
            is_copy = bool(born and time and time < born)
            response = text_or_none(mapping(record.get("message")).get("responseId"))
            usage = usage_of(record)
            if usage is not None and (response or not is_copy):
                told.append((response or f"{name} {record.get('timestamp')}", name, usage))
            if is_copy:
                continue
            session.saw(time)
            if record.get("type") == "session":
                session.cwd = session.cwd or text_or_none(record.get("cwd"))
            count_record(session, record)
        if session.times:
            began[name] = min(session.times)
    for key, name, usage in sorted(told, key=lambda one: (str(began.get(one[1])), one[1])):
        spent.setdefault(key, (name, usage))
    for name, usage in spent.values():
        session = found[name]
        session.spend(
            input=whole(usage.get("input")),
            output=whole(usage.get("output")),
            cache_read=whole(usage.get("cacheRead")),
            cache_write=whole(usage.get("cacheWrite")),
            reasoning=whole(usage.get("reasoning")),
        )
        price = mapping(usage.get("cost")).get("total")
        if whole(usage.get("totalTokens")):
            costs.setdefault(name, []).append(float(price) if isinstance(price, int | float) else 0)
    for name, prices in costs.items():
        if all(price > 0 for price in prices):
            found[name].usd = sum(round(price * TICKS_PER_USD) for price in prices) / TICKS_PER_USD
    return sessions(found)


def usage_of(record: Json) -> Json | None:
    """What an entry says that it took."""
    message = mapping(record.get("message"))
    if record.get("type") == "compaction" and isinstance(record.get("usage"), dict):
        return mapping(record["usage"])
    if record.get("type") == "message" and message.get("role") == "assistant":
        return mapping(message["usage"]) if isinstance(message.get("usage"), dict) else None
    return None


def count_record(session: Counted, record: Json) -> None:
    """Adds one entry."""
    message = mapping(record.get("message"))
    if record.get("type") != "message":
        return
    role, content = message.get("role"), message.get("content")
    if role == "user" and is_asked(content):
        session.ask(f"{record.get('timestamp')} {json.dumps(content, sort_keys=True)}")
    elif role == "assistant":
        session.is_session = True
        for part in content if isinstance(content, list) else []:
            call = text_or_none(mapping(part).get("id"))
            if mapping(part).get("type") == "toolCall" and call:
                session.call(call)
    elif role == "toolResult":
        call = text_or_none(message.get("toolCallId"))
        if call:
            exited = EXITED.search(words_of(content)) if message.get("isError") else None
            code = int(exited[1]) if exited and message.get("toolName") == "bash" else None
            session.end(call, code != 0 if code is not None else message.get("isError") is True)
