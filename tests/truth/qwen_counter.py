"""What the Qwen Code sessions of a home are, counted straight from their lines.

Written from the format notes and the data, not from the adapter, with no thought for speed, so
that a disagreement with Helix points at a real mistake in one of the two.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.truth.figures import Counted, sessions
from tests.truth.lines import Json, mapping, moment, pieces, text_or_none, whole

BEGINS = ('{"uuid":', '{"type":')
WITHIN = ('{"sessionId":',)
EXIT = re.compile(r"^Exit Code: (-?\d{1,10})$", re.MULTILINE)


def parts_of(row: Json) -> list[Json]:
    """The parts of a row's message."""
    parts: Any = mapping(row.get("message")).get("parts")
    return [mapping(part) for part in parts] if isinstance(parts, list) else []


def is_asked(row: Json) -> bool:
    """Whether a user's row is a person's."""
    if row.get("subtype") or row.get("provenance") not in (None, "real_user"):
        return False
    parts = parts_of(row)
    if any("functionResponse" in part for part in parts):
        return False
    text = "\n".join(str(part.get("text") or "") for part in parts).strip()
    return bool(text) or any("inlineData" in part for part in parts)


def count_result(session: Counted, row: Json) -> None:
    """Adds how a call ended."""
    told = mapping(row.get("toolCallResult"))
    for part in parts_of(row):
        answer = mapping(part.get("functionResponse"))
        call = text_or_none(answer.get("id")) or text_or_none(told.get("callId"))
        if not call:
            continue
        response = mapping(answer.get("response"))
        words = next(
            (response[n] for n in ("output", "error") if isinstance(response.get(n), str)), ""
        )
        code = EXIT.search(words) if answer.get("name") == "run_shell_command" else None
        failed = told.get("status") in ("error", "cancelled") or (
            "status" not in told and "error" in response
        )
        session.end(call, int(code[1]) != 0 if code else failed)


def count_home(home: Path) -> dict[str, Counted]:
    """Every Qwen session of a home by id."""
    found: dict[str, Counted] = {}
    seen: set[tuple[str, str]] = set()
    for path in sorted((home / ".qwen" / "projects").glob("*/chats/*.jsonl")):
        for row in pieces(path.read_bytes(), BEGINS, WITHIN):
            if row is None:
                continue
            native = text_or_none(row.get("sessionId"))
            own = text_or_none(row.get("uuid")) or ""
            if native is None or (own and (native, own) in seen):
                continue
            seen.add((native, own))
            session = found.setdefault(f"qwen:{native}", Counted(f"qwen:{native}"))
            count_row(session, row, own)
    return sessions(found)


def count_row(session: Counted, row: Json, own: str) -> None:
    """Adds one row."""
    kind = row.get("type")
    session.saw(moment(row.get("timestamp")))
    session.cwd = session.cwd or text_or_none(row.get("cwd"))
    session.branch = session.branch or text_or_none(row.get("gitBranch"))
    session.agent_version = session.agent_version or text_or_none(row.get("version"))
    if kind == "system" and row.get("subtype") == "parent_session":
        above = text_or_none(mapping(row.get("systemPayload")).get("parentSessionId"))
        session.parent = session.parent or (f"qwen:{above}" if above else None)
    elif kind == "user" and is_asked(row):
        session.ask(own)
    elif kind == "tool_result":
        count_result(session, row)
    elif kind == "assistant":
        session.is_session = True
        for part in parts_of(row):
            call = text_or_none(mapping(part.get("functionCall")).get("id"))
            if call:
                session.call(call)
        usage = mapping(row.get("usageMetadata"))
        cached = whole(usage.get("cachedContentTokenCount"))
        thoughts = whole(usage.get("thoughtsTokenCount"))
        session.spend(
            input=whole(usage.get("promptTokenCount")) - cached,
            cache_read=cached,
            output=whole(usage.get("candidatesTokenCount")) + thoughts,
            reasoning=thoughts,
        )
