"""Writes sessions of Gemini CLI for tests: as lines, and as the document of old."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from tests.claude_log import Json, as_line, moment

SESSION = "9e9e9e9e-0000-4000-8000-000000000001"
CONTEXT_ID = "d04923d38bb0f6017037e74183378ef4"


class GeminiLog:
    """A session that is being written, row by row."""

    def __init__(self, session: str = SESSION, cwd: str = "/work/app", start: float = 0) -> None:
        self.session = session
        self.cwd = cwd
        self.second = start
        self.model = "gemini-3-pro-preview"
        self.records: list[Json] = []
        self._thoughts: list[Json] = []
        self._answers: dict[str, Json] = {}
        head = {"sessionId": session, "projectHash": hashlib.sha256(cwd.encode()).hexdigest()}
        self.head: Json = {**head, "startTime": moment(start), "lastUpdated": moment(start)}
        self.records.append({**self.head, "kind": "main"})
        told = f"This is the Gemini CLI.\n- **Workspace Directories:**\n  - {cwd}\n"
        told = f"<session_context>\n{told}</session_context>"
        context = {"id": CONTEXT_ID, "timestamp": moment(start), "type": "user"}
        self.set(messages=[{**context, "content": [{"text": told}]}])

    def set(self, **changes: Any) -> None:
        """A row that changes what the session says of itself."""
        self.records.append({"$set": {**changes, "lastUpdated": moment(self.second)}})

    def message(self, kind: str, content: object, **fields: Any) -> Json:
        """Appends a message, a second after the one before."""
        self.second += 1
        record: Json = {
            "id": f"{self.session[:8]}-{len(self.records):06}",
            "timestamp": moment(self.second),
            "type": kind,
            "content": content,
            **fields,
        }
        self.records.append(record)
        return record

    def prompt(self, text: str = "fix the failing test", **fields: Any) -> Json:
        """What a person asks."""
        row = self.message("user", [{"text": text}], **fields)
        self.set()
        return row

    def think(self, text: str) -> None:
        """What the model thinks comes with its next answer."""
        self._thoughts.append({"subject": "Thinking", "description": text})

    def answer(self, text: str = "", tokens: Json | None = None) -> Json:
        """What the model says."""
        thoughts, self._thoughts = self._thoughts, []
        told = tokens or counts(fresh=20, out=7)
        return self.message("gemini", text, thoughts=thoughts, tokens=told, model=self.model)

    def reply(self, text: str = "Done.") -> Json:
        """What the agent says."""
        return self.answer(text)

    def call(
        self, tool: str = "run_shell_command", given: Json | None = None, text: str = ""
    ) -> str:
        """A tool's call: the answer stands there, and again when the call has ended."""
        row = self.answer(text)
        name = f"{tool}_{row['id']}"
        call: Json = {"id": name, "name": tool, "args": given or {"command": "ls"}}
        self._answers[name] = {**row, "toolCalls": [{**call, "status": "executing"}]}
        return name

    def result(self, call: str, text: str = "ok", code: int | None = None, error: str = "") -> Json:
        """How a call ends; a command that fails is a success, with its code in words."""
        row = self._answers.pop(call)
        ended = row["toolCalls"][0]
        shown = text if code is None else framed(text, code)
        response = {"error": error} if error else {"output": shown}
        answer = {"functionResponse": {"id": call, "name": ended["name"], "response": response}}
        status = "error" if error else "success"
        done = {**ended, "status": status, "result": [answer], "resultDisplay": error or text}
        self.records.append({**row, "toolCalls": [done]})
        return self.message("user", [answer])

    def step(self, output: str = "ok", code: int = 0) -> None:
        """A command and what came of it."""
        self.result(self.call(), output, code)

    def spend(self, fresh: int = 0, cached: int = 0, out: int = 0, reasoning: int = 0) -> None:
        """An answer that took so much."""
        self.answer("So it is.", counts(fresh, cached, out - reasoning, reasoning))

    def rewind(self, row: Json) -> None:
        """A person goes back to before a message."""
        self.records.append({"$rewindTo": row["id"]})

    def text(self) -> bytes:
        """The file's content, as lines."""
        return b"".join(map(as_line, self.records))

    def document(self) -> bytes:
        """The same session as one document: each message once, as it was last."""
        last: dict[str, Json] = {}
        for row in self.records:
            if "type" in row:
                last[row["id"]] = row
        kept = [row for row in last.values() if "functionResponse" not in str(row["content"])[:30]]
        head = {**self.head, "lastUpdated": moment(self.second)}
        return json.dumps({**head, "messages": kept}, indent=2).encode()

    def write(self, home: Path, *, is_document: bool = False) -> Path:
        """Puts the session where Gemini does."""
        folder = home / ".gemini" / "tmp" / "app" / "chats"
        folder.mkdir(parents=True, exist_ok=True)
        name = f"session-2026-02-02T02-40-{self.session[:8]}.json{'' if is_document else 'l'}"
        (folder / name).write_bytes(self.document() if is_document else self.text())
        return folder / name


def counts(fresh: int = 0, cached: int = 0, out: int = 0, thoughts: int = 0) -> Json:
    """The tokens of an answer: input with what was cached, output without thoughts."""
    told = {"input": fresh + cached, "output": out, "cached": cached, "thoughts": thoughts}
    return {**told, "tool": 0, "total": fresh + cached + out + thoughts}


def framed(text: str, code: int) -> str:
    """What a command printed, as the shell tool gives it back; the code only where it failed."""
    ended = f"\nExit Code: {code}" if code else ""
    return f"Output: {text or '(empty)'}{ended}\nProcess Group PGID: 4711"
