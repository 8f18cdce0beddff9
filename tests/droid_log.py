"""Writes sessions of Droid for tests: the log, and the document with its sums."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.claude_log import Json, as_line, moment

SESSION = "d401d401-0000-4000-8000-000000000001"
REMINDER = "<system-reminder>\nToday is Monday.\n</system-reminder>"


class DroidLog:
    """A session that is being written; each method appends a record and returns it."""

    def __init__(
        self, session: str = SESSION, cwd: str = "/work/app", start: float = 0, **head: Any
    ) -> None:
        self.session = session
        self.second = start
        self.model = "claude-sonnet-4-6"
        self._thought = ""
        self._sums = [0] * 5
        first: Json = {"type": "session_start", "id": session, "title": "fix it"}
        first |= {"sessionTitle": "New Session", "version": 2, "cwd": cwd}
        self.records: list[Json] = [{**first, **head}]

    def say(self, role: str, content: list[Json], **fields: Any) -> Json:
        """Appends a message, a second after the one before."""
        self.second += 1
        record: Json = {
            "type": "message",
            "id": f"{self.session[:8]}-{len(self.records):06}",
            "timestamp": moment(self.second),
            "message": {"role": role, "content": content, **fields},
        }
        self.records.append(record)
        return record

    def prompt(self, text: str = "fix the failing test") -> Json:
        """What a person asks, in one block with a reminder of the client's."""
        return self.say("user", [{"type": "text", "text": f"{REMINDER}\n{text}"}])

    def think(self, text: str) -> None:
        """What the model thinks comes with its next answer."""
        self._thought = text

    def answer(self, parts: list[Json]) -> Json:
        """What the model says."""
        thoughts = [{"type": "thinking", "thinking": self._thought}] if self._thought else []
        self._thought = ""
        self.spend(20, 0, 7)
        return self.say("assistant", [*thoughts, *parts])

    def reply(self, text: str = "Done.") -> Json:
        """What the agent says."""
        return self.answer([{"type": "text", "text": text}])

    def call(self, tool: str = "Execute", given: Json | None = None, text: str = "") -> str:
        """A tool's call; returns its id."""
        name = f"call_{self.session[:8]}_{len(self.records)}"
        call = {"type": "tool_use", "id": name, "name": tool, "input": given or {"command": "ls"}}
        said = [{"type": "text", "text": text}] if text else []
        self.answer([*said, call])
        return name

    def result(self, call: str, text: str = "ok", code: int | None = None, error: str = "") -> Json:
        """How a call ends: a command that fails is an error."""
        block: Json = {"type": "tool_result", "tool_use_id": call, "content": error or text}
        block["is_error"] = bool(error or code)
        if code is not None:
            block["exitCode"] = code
        return self.say("user", [block])

    def step(self, output: str = "ok", code: int = 0) -> None:
        """A command and what came of it."""
        self.result(self.call(), output, code)

    def spend(self, fresh: int = 0, cached: int = 0, out: int = 0, reasoning: int = 0) -> None:
        """The sums grow."""
        for at, count in enumerate((fresh, out, 0, cached, reasoning)):
            self._sums[at] += count

    def settings(self) -> bytes:
        """The document beside the log."""
        names = "inputTokens outputTokens cacheCreationTokens cacheReadTokens thinkingTokens"
        usage = dict(zip(names.split(), self._sums, strict=True))
        return json.dumps({"model": self.model, "tokenUsage": usage}, indent=2).encode()

    def text(self) -> bytes:
        """The log's content."""
        return b"".join(map(as_line, self.records))

    def write(self, home: Path) -> Path:
        """Puts both files where Droid does."""
        folder = home / ".factory" / "sessions" / "-work-app"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.session}.jsonl"
        path.write_bytes(self.text())
        path.with_suffix(".settings.json").write_bytes(self.settings())
        return path
