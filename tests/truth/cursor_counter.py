"""What the Cursor sessions of a home are, counted straight from transcripts and databases.

Written from the format notes and the data, not from the adapter, with no thought for speed, so
that a disagreement with Helix points at a real mistake in one of the two.
"""

from __future__ import annotations

import json
import re
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.truth.figures import Counted, sessions
from tests.truth.lines import Json, mapping, moment, pieces, text_or_none, whole

QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)
CLIENT = re.compile(
    r"<(external_links|attached_files|system_reminder|timestamp|open_and_recently_viewed_files|"
    r"user_info|rules|git_status|agent_transcripts|image_files)>.*?</\1>",
    re.DOTALL,
)
STAMP = re.compile(
    r"<timestamp>\w+, (\w{3} \d{1,2}, \d{4}), (\d{1,2}:\d\d [AP]M) "
    r"\(UTC([+-]\d{1,2})?(?::(\d\d))?\)"
)
GLOBAL = (".config/Cursor", "Library/Application Support/Cursor")


def said_at(text: str) -> datetime | None:
    """When a prompt was typed, if the client says so."""
    found = STAMP.search(text)
    if not found:
        return None
    day, clock, hours, minutes = found.groups()
    when = datetime.strptime(f"{day} {clock}", "%b %d, %Y %I:%M %p").replace(tzinfo=UTC)
    away = timedelta(hours=int(hours or 0))
    extra = timedelta(minutes=int(minutes or 0))
    return when - (away - extra if (hours or "").startswith("-") else away + extra)


def asked(text: str) -> str:
    """What a person typed, without what the client put around it."""
    found = QUERY.findall(text)
    return "\n".join(found).strip() if found else CLIENT.sub("", text).strip()


def opened(path: Path) -> sqlite3.Connection:
    live = "" if Path(f"{path}-wal").exists() else "&immutable=1"
    return sqlite3.connect(f"file:{path}?mode=ro{live}", uri=True)


def composers(home: Path) -> dict[str, tuple[Json, list[Json]]]:
    """What the IDE's database knows: each conversation with its bubbles in order."""
    found: dict[str, tuple[Json, list[Json]]] = {}
    for place in GLOBAL:
        path = home / place / "User" / "globalStorage" / "state.vscdb"
        if not path.exists():
            continue
        database = opened(path)
        values = {
            key: value.decode() if isinstance(value, bytes) else value
            for key, value in database.execute("SELECT key, value FROM cursorDiskKV")
        }
        database.close()
        for key, value in values.items():
            if key.startswith("composerData:") and value:
                name = key.removeprefix("composerData:")
                composer = mapping(json.loads(value))
                heads = composer.get("fullConversationHeadersOnly") or []
                keys = [f"bubbleId:{name}:{mapping(head).get('bubbleId')}" for head in heads]
                bubbles = [mapping(json.loads(values[k])) for k in keys if values.get(k)]
                found[name] = composer, bubbles
    return found


def when(value: object) -> datetime | None:
    """A time in milliseconds, or as text."""
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value / 1000, UTC)
    return moment(value)


def count_transcript(session: Counted, path: Path) -> None:
    """Adds what a transcript says."""
    for number, row in enumerate(pieces(path.read_bytes(), ('{"role":',))):
        if row is None:
            continue
        content = mapping(row.get("message")).get("content")
        blocks = [mapping(block) for block in content] if isinstance(content, list) else []
        words = "\n".join(str(block.get("text") or "") for block in blocks)
        if row.get("role") == "user":
            session.saw(said_at(words))
            if asked(words):
                session.ask(str(number))
        elif words.strip():
            session.is_session = True
        for slot, block in enumerate(blocks):
            if block.get("type") == "tool_use":
                session.call(text_or_none(block.get("id")) or f"{number}:{slot}")
            elif block.get("type") == "tool_result":
                session.end(str(block.get("tool_use_id")), block.get("is_error") is True)


def count_home(home: Path) -> dict[str, Counted]:
    """Every Cursor session of a home by id."""
    found: dict[str, Counted] = {}
    known = composers(home)
    for path in sorted((home / ".cursor" / "projects").glob("*/agent-transcripts/**/*.jsonl")):
        session = found.setdefault(f"cursor:{path.stem}", Counted(f"cursor:{path.stem}"))
        if path.parent.name == "subagents":
            session.parent = f"cursor:{path.parent.parent.name}"
        log = path
        while log.name != "agent-transcripts":
            log = log.parent
        worker = log.parent / "worker.log"
        if worker.exists():
            place = re.search(r"workspacePath=(\S+)", worker.read_text())
            session.cwd = place[1] if place else None
        count_transcript(session, path)
    for path in sorted((home / ".cursor" / "chats").glob("*/*/store.db")):
        if f"cursor:{path.parent.name}" in found:
            session = found[f"cursor:{path.parent.name}"]
            database = opened(path)
            (value,) = database.execute("SELECT value FROM meta WHERE key = '0'").fetchone()
            database.close()
            session.saw(when(mapping(json.loads(bytes.fromhex(value))).get("createdAt")))
    for name, (composer, bubbles) in known.items():
        session = found.setdefault(f"cursor:{name}", Counted(f"cursor:{name}"))
        is_alone = not session.is_session
        session.saw(when(composer.get("createdAt")))
        session.saw(when(composer.get("lastUpdatedAt")))
        calls = sorted(session.calls, key=lambda key: tuple(map(int, key.split(":"))))
        nth = 0
        for bubble in bubbles:
            session.saw(when(bubble.get("createdAt")))
            tool = mapping(bubble.get("toolFormerData"))
            key = str(bubble.get("bubbleId"))
            if tool:
                if is_alone:
                    session.call(key)
                elif nth < len(calls):
                    key = calls[nth]
                nth += 1
                if tool.get("status") in ("completed", "error", "cancelled"):
                    session.end(key, tool["status"] != "completed" or bool(code_of(tool)))
            elif is_alone and bubble.get("type") == 1 and str(bubble.get("text") or "").strip():
                session.ask(key)
            elif is_alone and str(bubble.get("text") or "").strip():
                session.is_session = True
            tokens = mapping(bubble.get("tokenCount"))
            session.spend(
                input=whole(tokens.get("inputTokens")), output=whole(tokens.get("outputTokens"))
            )
    return sessions(found)


def code_of(tool: Json) -> int:
    """The exit code in what a command gave."""
    try:
        result = mapping(json.loads(str(tool.get("result"))))
    except ValueError:
        return 0
    return whole(result.get("exitCode", result.get("exit_code")))
