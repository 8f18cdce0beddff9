"""Writes sessions of Qwen Code for tests, row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.claude_log import Json, as_line, moment

SESSION = "92929292-0000-4000-8000-000000000001"


class QwenLog:
    """A session that is being written; each method appends a row and returns it."""

    def __init__(self, session: str = SESSION, cwd: str = "/work/app", start: float = 0) -> None:
        self.session = session
        self.cwd = cwd
        self.second = start
        self.model = "qwen3-coder-plus"
        self.records: list[Json] = []
        self._thought = ""
        self._tools: dict[str, str] = {}

    def row(self, kind: str, parts: list[Json] | None = None, /, **fields: Any) -> Json:
        """Appends a row, a second after the one before."""
        self.second += 1
        number = len(self.records)
        record: Json = {
            "uuid": f"{self.session[:8]}-{number:06}",
            "parentUuid": self.records[-1]["uuid"] if self.records else None,
            "sessionId": self.session,
            "timestamp": moment(self.second),
            "type": kind,
            "cwd": self.cwd,
            "version": "0.9.0",
            "gitBranch": "main",
        }
        if parts is not None:
            role = "model" if kind == "assistant" else "user"
            record["message"] = {"role": role, "parts": parts}
        record |= fields
        self.records.append(record)
        return record

    def prompt(self, text: str = "fix the failing test", **fields: Any) -> Json:
        """What a person asks."""
        return self.row("user", [{"text": text}], **fields)

    def think(self, text: str) -> None:
        """What the model thinks comes with its next answer."""
        self._thought = text

    def answer(self, parts: list[Json], tokens: Json | None = None) -> Json:
        """What the model says, with its usage, which the client repeats."""
        told = tokens or counts(fresh=20, out=7)
        event = {"event.name": "qwen-code.api_response", "input_token_count": 20}
        self.row("system", subtype="ui_telemetry", systemPayload={"uiEvent": event})
        thoughts = [{"text": self._thought, "thought": True}] if self._thought else []
        self._thought = ""
        return self.row("assistant", [*thoughts, *parts], model=self.model, usageMetadata=told)

    def reply(self, text: str = "Done.") -> Json:
        """What the agent says."""
        return self.answer([{"text": text}])

    def call(
        self, tool: str = "run_shell_command", given: Json | None = None, text: str = ""
    ) -> str:
        """A tool's call; returns its id."""
        name = f"call_{self.session[:8]}_{len(self.records)}"
        call = {"id": name, "name": tool, "args": given or {"command": "ls"}}
        said = [{"text": text}] if text else []
        self.answer([*said, {"functionCall": call}])
        self._tools[name] = tool
        return name

    def result(self, call: str, text: str = "ok", code: int | None = None, error: str = "") -> Json:
        """How a call ends: a command that fails is an error here, and its code always told."""
        shown = text
        if code is not None:
            shown = f"Command: x\nDirectory: (root)\nOutput: {text or '(empty)'}\nError: (none)"
            shown += f"\nExit Code: {code}\nSignal: (none)\nProcess Group PGID: 4711"
        response = {"error": error} if error else {"output": shown}
        answer = {"id": call, "name": self._tools[call], "response": response}
        told: Json = {"callId": call, "status": "error" if error or code else "success"}
        return self.row("tool_result", [{"functionResponse": answer}], toolCallResult=told)

    def step(self, output: str = "ok", code: int = 0) -> None:
        """A command and what came of it."""
        self.result(self.call(), output, code)

    def spend(self, fresh: int = 0, cached: int = 0, out: int = 0, reasoning: int = 0) -> None:
        """An answer that took so much."""
        self.answer([{"text": "So it is."}], counts(fresh, cached, out - reasoning, reasoning))

    def text(self) -> bytes:
        """The file's content."""
        return b"".join(map(as_line, self.records))

    def write(self, home: Path) -> Path:
        """Puts the log where Qwen does."""
        path = home / ".qwen" / "projects" / "-work-app" / "chats" / f"{self.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.text())
        return path


def counts(fresh: int = 0, cached: int = 0, out: int = 0, thoughts: int = 0) -> Json:
    """The tokens of an answer: the prompt with what was cached, candidates without thoughts."""
    return {
        "promptTokenCount": fresh + cached,
        "candidatesTokenCount": out,
        "thoughtsTokenCount": thoughts,
        "cachedContentTokenCount": cached,
        "totalTokenCount": fresh + cached + out + thoughts,
    }
