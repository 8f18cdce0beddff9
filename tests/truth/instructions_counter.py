"""What the logs of a home record of agents' instructions, read straight from the files.

Written from the notes on what logs record, not from the adapters.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zstandard

# By session: the texts that it was given; an empty set where its log says that there were none.
Given = dict[str, set[str]]


def given_in(home: Path) -> Given:
    """What every session of a home was given, as far as its log says so."""
    given: Given = {}
    for path in sorted((home / ".codex").rglob("rollout-*.jsonl*")):
        _of_rollout(path, given)
    for path in sorted((home / ".grok" / "sessions").rglob("chat_history.jsonl")):
        _of_chat(path, given)
    for path in sorted((home / ".claude" / "projects").rglob("*.jsonl")):
        _of_claude(path, given)
    return given


def _records(path: Path) -> Iterator[dict[str, Any]]:
    data = path.read_bytes()
    if path.suffix == ".zst":
        with zstandard.ZstdDecompressor().stream_reader(data) as reader:
            data = reader.read()
    for line in data.decode("utf-8", "replace").split("\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def _of_rollout(path: Path, given: Given) -> None:
    native = ""
    for record in _records(path):
        payload = record.get("payload")
        body = payload if isinstance(payload, dict) else record
        kind = record.get("type")
        if kind == "session_meta" or (kind is None and "instructions" in record):
            native = native or str(body.get("id"))
            if body.get("id") == native and "instructions" in body:
                _note(given, f"codex:{native}", body["instructions"])
        elif kind == "turn_context" and "user_instructions" in body:
            _note(given, f"codex:{native}", body["user_instructions"])
        elif body.get("type") == "message" and body.get("role") == "user":
            text = "".join(
                piece.get("text") or "" for piece in body.get("content") or [] if piece.get("text")
            )
            _note_message(given, f"codex:{native}", text.strip())


def _note_message(given: Given, session: str, text: str) -> None:
    if text.startswith("<user_instructions>") and text.endswith("</user_instructions>"):
        _note(given, session, text[len("<user_instructions>") : -len("</user_instructions>")])
    elif text.startswith("# AGENTS.md instructions") and "</INSTRUCTIONS>" in text:
        inner = text.partition("<INSTRUCTIONS>")[2]
        _note(given, session, inner.partition("</INSTRUCTIONS>")[0])


def _of_chat(path: Path, given: Given) -> None:
    for record in _records(path):
        if record.get("synthetic_reason") == "project_instructions":
            content = record.get("content")
            pieces = content if isinstance(content, list) else [{"text": content}]
            text = "\n\n".join(str(piece.get("text") or "") for piece in pieces)
            _note(given, f"grok:{path.parent.name}", text)


def _of_claude(path: Path, given: Given) -> None:
    for record in _records(path):
        attachment = record.get("attachment")
        if record.get("type") != "attachment" or not isinstance(attachment, dict):
            continue
        session = f"claude:{record.get('sessionId')}"
        if attachment.get("type") == "instructions":
            for file in attachment.get("files") or []:
                _note(given, session, file.get("content"))
        elif attachment.get("type") == "nested_memory":
            _note(given, session, (attachment.get("content") or {}).get("content"))


def _note(given: Given, session: str, text: object) -> None:
    texts = given.setdefault(session, set())
    if isinstance(text, str) and text.strip():
        texts.add(text.strip())
