"""What the Gemini CLI sessions of a home are, counted straight from their documents and lines.

Written from the format notes and the data, not from the adapter, with no thought for speed, so
that a disagreement with Helix points at a real mistake in one of the two.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from tests.truth.figures import Counted, sessions
from tests.truth.lines import Json, mapping, moment, pieces, text_or_none, whole

BEGINS = ('{"id":', '{"$set":', '{"$rewindTo":', '{"type":')
WITHIN = ('{"sessionId":',)
FINAL = ("success", "error", "cancelled")
EXIT = re.compile(r"^Exit Code: (-?\d{1,10})$", re.MULTILINE)
FOLDERS = re.compile(r"Workspace Directories:\*{0,2}\s*\n\s*- ([^\n]+)")


def files(home: Path) -> list[tuple[Path, str | None]]:
    """Each file with the session in whose folder it lies, as a sub-agent's does."""
    tmp = home / ".gemini" / "tmp"
    main = [path for path in tmp.glob("*/chats/*") if path.name.startswith("session-")]
    below = [(path, path.parent.name) for path in tmp.glob("*/chats/*/*.jsonl")]
    return sorted([*((path, None) for path in main if path.suffix in (".json", ".jsonl")), *below])


def records_of(path: Path) -> list[Json]:
    """The rows of either form: of a document its head, then its messages."""
    data = path.read_bytes()
    if path.suffix == ".jsonl":
        return [row for row in pieces(data, BEGINS, WITHIN) if row is not None]
    try:
        document = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return []
    head = mapping(document)
    messages = head.get("messages")
    rows = [row for row in messages if isinstance(row, dict)] if isinstance(messages, list) else []
    return [{key: value for key, value in head.items() if key != "messages"}, *rows]


def text_of(content: object) -> str:
    """The words of a content, whole or in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "\n".join(str(mapping(part).get("text") or "") for part in parts).strip("\n")


def has_picture(content: object) -> bool:
    """Whether a part is a picture or another file."""
    parts = content if isinstance(content, list) else [content]
    return any(
        isinstance(mapping(part).get(name), dict)
        for part in parts
        for name in ("inlineData", "fileData")
    )


def has_answers(content: object) -> bool:
    """Whether some part answers a call."""
    parts = content if isinstance(content, list) else [content]
    return any("functionResponse" in mapping(part) for part in parts)


def is_asked(row: Json) -> bool:
    """Whether a user's row is a person's."""
    content = row.get("displayContent") or row.get("content")
    if has_answers(row.get("content")):
        return False
    text = text_of(content).strip()
    if not text:
        return has_picture(content)
    return not text.startswith("<session_context>")


def output_of(call: Json) -> str:
    """What a call came to."""
    results = call.get("result")
    for part in results if isinstance(results, list) else []:
        response = mapping(mapping(mapping(part).get("functionResponse")).get("response"))
        for name in ("output", "error"):
            if isinstance(response.get(name), str):
                return str(response[name])
    return ""


def has_failed(call: Json) -> bool:
    """The exit code of a shell first, then the status."""
    if call.get("name") == "run_shell_command":
        told = EXIT.search(output_of(call))
        if told:
            return int(told[1]) != 0
    return call.get("status") != "success"


def folder_of(home: Path, path: Path, hashed: str | None) -> str | None:
    """The project that a folder belongs to."""
    chats = next(above for above in path.parents if above.name == "chats")
    root = chats.parent / ".project_root"
    if root.is_file() and root.read_text().strip():
        return root.read_text().strip()
    known = home / ".gemini" / "projects.json"
    projects = (
        mapping(mapping(json.loads(known.read_text())).get("projects")) if known.is_file() else {}
    )
    for place, slug in projects.items():
        if slug == chats.parent.name or hashlib.sha256(place.encode()).hexdigest() == hashed:
            return str(place)
    return None


def count_row(session: Counted, row: Json, spent: dict[str, Json]) -> None:
    """Adds one message."""
    key = text_or_none(row.get("id")) or json.dumps(row, sort_keys=True)
    session.saw(moment(row.get("timestamp")))
    kind = row.get("type")
    if kind == "user" and is_asked(row):
        session.ask(key)
    if kind != "gemini":
        return
    session.is_session = True
    if isinstance(row.get("tokens"), dict):
        spent[key] = mapping(row["tokens"])
    calls = row.get("toolCalls")
    for each in calls if isinstance(calls, list) else []:
        call = mapping(each)
        name = text_or_none(call.get("id"))
        if name:
            session.call(name)
            if call.get("status") in FINAL:
                session.end(name, has_failed(call))


def count_file(found: dict[str, Counted], home: Path, path: Path, parent: str | None) -> None:
    """Adds one file."""
    rows = records_of(path)
    heads = [row for row in rows if "sessionId" in row and "type" not in row]
    named = [text_or_none(head.get("sessionId")) for head in heads]
    native = next(filter(None, named), path.stem)
    if parent and native == parent:
        native = f"{parent}.{path.stem}"
    if not rows:
        return
    session = found.setdefault(f"gemini:{native}", Counted(f"gemini:{native}"))
    if parent:
        session.parent = f"gemini:{parent}"
    spent: dict[str, Json] = session.__dict__.setdefault("spent", {})
    hashed = next((text_or_none(head.get("projectHash")) for head in heads), None)
    told: list[str] = []
    for row in rows:
        changed = mapping(row.get("$set"))
        for name in ("startTime", "lastUpdated"):
            for place in (row, changed):
                if "type" not in place:
                    session.saw(moment(place.get(name)))
        messages = changed.get("messages")
        inserted: list[Any] = messages if isinstance(messages, list) else []
        for message in (row, *inserted):
            told += FOLDERS.findall(text_of(mapping(message).get("content")))
        if "type" in row:
            count_row(session, row, spent)
    where = folder_of(home, path, hashed) or (told[0].strip() if told else None)
    session.cwd = session.cwd or where


def count_home(home: Path) -> dict[str, Counted]:
    """Every Gemini session of a home by id."""
    found: dict[str, Counted] = {}
    for path, parent in files(home):
        count_file(found, home, path, parent)
    for session in found.values():
        for tokens in session.__dict__.get("spent", {}).values():
            count = {name: whole(tokens.get(name)) for name in tokens}
            cached, thoughts = count.get("cached", 0), count.get("thoughts", 0)
            session.spend(
                input=count.get("input", 0) + count.get("tool", 0) - cached,
                cache_read=cached,
                output=count.get("output", 0) + thoughts,
                reasoning=thoughts,
            )
    return sessions(found)
