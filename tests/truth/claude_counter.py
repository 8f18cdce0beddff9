"""What the Claude Code sessions of a home are, counted straight from the files.

Written from the format notes alone, before the adapter, with the standard library only and no
thought for speed, so that a disagreement with Helix points at a real mistake in one of the two.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.truth.claude_prompts import queued_prompts, typed

Json = dict[str, Any]

BLANK = "\0 \t\r\ufeff"
RECORD_BEGINS = ('{"parentUuid":', '{"type":', '{"isSidechain":')
TOKEN_FIELDS = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_write": "cache_creation_input_tokens",
}


@dataclass
class Counted:
    """The figures of one session."""

    id: str
    parent: str | None = None
    prompts: int = 0
    tool_calls: int = 0
    tool_errors: int = 0
    started_at: str | None = None
    ended_at: str | None = None
    cwd: str | None = None
    branch: str | None = None
    agent_version: str | None = None
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    is_session: bool = False
    cwd_seen: list[tuple[datetime, str]] = field(default_factory=list)
    branch_seen: list[tuple[datetime, str]] = field(default_factory=list)
    versions_seen: list[tuple[datetime, str]] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)
    seen: set[tuple[str, int]] = field(default_factory=set)
    usage: dict[str, Json] = field(default_factory=dict)


def session_files(home: Path) -> Iterator[Path]:
    """The files that may hold records: project logs and sub-agent logs, no journals."""
    projects = home / ".claude" / "projects"
    for path in sorted(projects.rglob("*.jsonl")):
        depth = len(path.relative_to(projects).parts)
        if depth == 2 or ("subagents" in path.parts and path.name.startswith("agent-")):
            yield path


def records(path: Path) -> Iterator[Json]:
    """Every JSON object of a file, also several on one line and one behind a torn one."""
    decoder = json.JSONDecoder()
    *lines, last = path.read_bytes().split(b"\n")
    if is_whole(last):
        lines.append(last)
    for line in lines:
        text = line.decode("utf-8", "replace").strip(BLANK)
        at = 0
        while at < len(text):
            try:
                value, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                at = restart_of_record(text, at + 1)
                if at < 0:
                    break
                continue
            if isinstance(value, dict):
                yield value
            while at < len(text) and text[at] in BLANK:
                at += 1


def is_whole(line: bytes | str) -> bool:
    """Whether a last line without a newline is complete; if not, the agent may still write it."""
    rest = (line.decode("utf-8", "replace") if isinstance(line, bytes) else line).strip(BLANK)
    if not rest:
        return False
    while rest:
        try:
            value, end = json.JSONDecoder().raw_decode(rest)
        except (ValueError, RecursionError):
            return False
        if not isinstance(value, dict):
            return False
        rest = rest[end:].strip(BLANK)
    return True


def restart_of_record(text: str, start: int) -> int:
    """Where a whole record that runs to the end of the line begins after a torn one, or -1."""
    # Any brace would do for JSON; only the way records begin tells one from a piece of one.
    begins = (*RECORD_BEGINS, text[start - 1 : start + 11])
    for at in range(start, len(text)):
        if text.startswith(begins, at) and is_whole(text[at:]):
            return at
    return -1


def when(record: Json) -> datetime | None:
    """The record's own time, if it has a readable one."""
    try:
        return datetime.fromisoformat(str(record["timestamp"]).replace("Z", "+00:00"))
    except (KeyError, ValueError):
        return None


def iso(moment: datetime) -> str:
    """A time as Helix prints it: UTC with milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def is_human_text(text: str) -> bool:
    """Whether a person may have typed this text."""
    return bool(typed(text))


def is_prompt(record: Json) -> bool:
    """Whether a record is something a person (or the parent agent) asked for."""
    if record.get("type") == "attachment":
        attachment = record.get("attachment") or {}
        if attachment.get("type") != "queued_command":
            return False
        if attachment.get("commandMode") not in (None, "prompt"):
            return False
        return has_human_content(attachment.get("prompt"))
    if record.get("type") != "user" or record.get("isMeta") or record.get("isCompactSummary"):
        return False
    return has_human_content((record.get("message") or {}).get("content"))


def has_human_content(content: object) -> bool:
    """Whether some block is human text or a picture and none is a tool's result."""
    if isinstance(content, str):
        return is_human_text(content)
    if not isinstance(content, list):
        return False
    blocks = [block for block in content if isinstance(block, dict)]
    if any(block.get("type") == "tool_result" for block in blocks):
        return False
    return any(
        block.get("type") == "image"
        or (block.get("type") == "text" and is_human_text(str(block.get("text", ""))))
        for block in blocks
    )


def owner_of(record: Json, path: Path, roots: dict[str, str]) -> tuple[str, str | None] | None:
    """The session a record belongs to and its parent; sub-agents are sessions of their own."""
    native = record.get("sessionId")
    if not isinstance(native, str) or not native:
        return None
    in_agent_file = path.name.startswith("agent-")
    if not (record.get("isSidechain") or in_agent_file):
        return f"claude:{native}", None
    agent = record.get("agentId")
    if not agent and in_agent_file:
        agent = path.stem.removeprefix("agent-")
    if not agent:
        uuid, above = str(record.get("uuid")), str(record.get("parentUuid"))
        agent = roots.get(above, uuid)
        roots[uuid] = agent
    return f"claude:{native}.{agent}", f"claude:{native}"


def count_record(session: Counted, record: Json) -> None:
    """Adds one record's facts to its session."""
    moment = when(record)
    if moment:
        session.times.append(moment)
        if record.get("cwd") and isinstance(record["cwd"], str):
            session.cwd_seen.append((moment, record["cwd"]))
        if record.get("gitBranch") and isinstance(record["gitBranch"], str):
            session.branch_seen.append((moment, record["gitBranch"]))
        if record.get("version") and isinstance(record["version"], str):
            session.versions_seen.append((moment, record["version"]))
    kind = record.get("type")
    if kind not in ("user", "assistant", "attachment"):
        return
    message = record.get("message") if isinstance(record.get("message"), dict) else {}
    assert isinstance(message, dict)
    count_usage(session, record, message)
    uuid = str(record.get("uuid"))
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    if is_prompt(record) and (uuid, -1) not in session.seen:
        session.seen.add((uuid, -1))
        session.prompts += 1
        session.is_session = True
    if kind == "assistant" and message.get("model") != "<synthetic>" and is_reply(content):
        session.is_session = True
    for index, block in enumerate(blocks):
        if not isinstance(block, dict) or (uuid, index) in session.seen:
            continue
        if block.get("type") not in ("tool_use", "tool_result"):
            continue
        session.seen.add((uuid, index))
        session.is_session = True
        if block["type"] == "tool_use":
            session.tool_calls += 1
        elif block.get("is_error") is True:
            session.tool_errors += 1


def is_reply(content: object) -> bool:
    """Whether the agent said or thought something."""
    if isinstance(content, str):
        return True
    blocks = content if isinstance(content, list) else []
    said = ("text", "thinking", "redacted_thinking")
    return any(isinstance(block, dict) and block.get("type") in said for block in blocks)


def count_usage(session: Counted, record: Json, message: Json) -> None:
    """Keeps the per-field maximum of what a message id reports."""
    usage = message.get("usage")
    if record.get("type") != "assistant" or not isinstance(usage, dict):
        return
    key = str(message.get("id") or record.get("uuid"))
    kept = session.usage.setdefault(key, {})
    for name, native in TOKEN_FIELDS.items():
        value = usage.get(native)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        kept[name] = max(kept.get(name, 0), value if isinstance(value, int) else 0)


def count_home(home: Path) -> dict[str, Counted]:
    """Every Claude session of a home by id, with message ids counted once in all of it."""
    found: dict[str, Counted] = {}
    for path in session_files(home):
        roots: dict[str, str] = {}
        repeats: Counter[str] = Counter()
        listed = list(records(path))
        handed_over = queued_prompts(listed)
        for place, record in enumerate(listed):
            owner = owner_of(record, path, roots)
            if owner:
                session = found.setdefault(owner[0], Counted(owner[0], owner[1]))
                if "uuid" not in record:  # told apart by content, and how often it came here
                    said = json.dumps([owner[0], record.get("timestamp"), record.get("message")])
                    record["uuid"] = f"{said} {repeats[said]}"
                    repeats[said] += 1
                count_record(session, record)
                if place in handed_over:
                    session.prompts += 1
                    session.is_session = True
    for session in found.values():
        if session.times:
            session.started_at = iso(min(session.times))
            session.ended_at = iso(max(session.times))
        session.cwd = min(session.cwd_seen)[1] if session.cwd_seen else None
        session.branch = min(session.branch_seen)[1] if session.branch_seen else None
        versions = session.versions_seen
        session.agent_version = min(versions)[1] if versions else None
    share_out_usage(found)
    return {key: session for key, session in found.items() if session.is_session}


def share_out_usage(found: dict[str, Counted]) -> None:
    """Gives each message id, at its maximum, to the earliest session that holds it."""
    holders: dict[str, list[Counted]] = {}
    for session in found.values():
        for key in session.usage:
            holders.setdefault(key, []).append(session)
    for key, sessions in holders.items():
        owner = min(sessions, key=lambda session: (session.started_at or "~", session.id))
        for name in TOKEN_FIELDS:
            most = max(session.usage[key][name] for session in sessions)
            setattr(owner, name, getattr(owner, name) + most)
