"""Writes Claude Code logs for tests, record by record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]
START = 1_770_000_000


def moment(second: float) -> str:
    """A time some seconds after the tests' beginning, as the agent writes it."""
    from datetime import UTC, datetime

    when = datetime.fromtimestamp(START + second, UTC)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def usage(fresh: int = 10, out: int = 5, read: int = 100, write: int = 20) -> Json:
    """A message's token counts."""
    return {
        "input_tokens": fresh,
        "output_tokens": out,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": write,
    }


class ClaudeLog:
    """A log that is being written; each method appends a record and returns it."""

    def __init__(
        self,
        session: str = "11111111-1111-4111-8111-111111111111",
        cwd: str = "/work/app",
        branch: str = "main",
        agent: str | None = None,
        start: int = 0,
    ) -> None:
        self.session = session
        self.cwd = cwd
        self.branch = branch
        self.agent = agent
        self.second = start
        self.records: list[Json] = []
        self._count = 0

    def add(self, kind: str, **fields: Any) -> Json:
        """Appends a record with the usual envelope; a field set to None is left out."""
        self._count += 1
        self.second += 1
        record: Json = {
            "parentUuid": self.records[-1].get("uuid") if self.records else None,
            "isSidechain": self.agent is not None,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": "2.1.0",
            "gitBranch": self.branch,
            "type": kind,
            "uuid": f"{self.session[:8]}-{self.agent or 'main'}-{self._count:04d}",
            "timestamp": moment(self.second),
        }
        if self.agent:
            record["agentId"] = self.agent
        record.update(fields)
        record = {key: value for key, value in record.items() if value is not None}
        self.records.append(record)
        return record

    def bare(self, **fields: Any) -> Json:
        """Appends a record without the envelope."""
        self.records.append(fields)
        return fields

    def prompt(self, content: object = "fix the failing test", **fields: Any) -> Json:
        """What a person asks."""
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def assistant(
        self, *blocks: Json, message: str = "", model: str = "claude-opus-4-5", **fields: Any
    ) -> Json:
        """One record of an API message; `usage` may be given as a field."""
        tokens = fields.pop("usage", usage())
        body = {
            "id": message or f"msg_{self.session[:8]}_{self.agent or 'main'}_{self._count + 1}",
            "model": model,
            "role": "assistant",
            "content": list(blocks),
            "usage": tokens,
        }
        return self.add("assistant", message=body, **fields)

    def reply(self, text: str = "Done.", **fields: Any) -> Json:
        """What the agent says."""
        return self.assistant({"type": "text", "text": text}, **fields)

    def call(self, tool: str = "Bash", call: str = "", **fields: Any) -> Json:
        """A tool's call; `given` is its input."""
        given = fields.pop("given", {"command": "make test"})
        name = call or f"toolu_{self.session[:8]}_{self._count + 1}"
        return self.assistant(
            {"type": "tool_use", "id": name, "name": tool, "input": given}, **fields
        )

    def result(self, call: str, content: object = "ok", **fields: Any) -> Json:
        """A tool's answer."""
        block = {"type": "tool_result", "tool_use_id": call, "content": content}
        if "is_error" in fields:
            block["is_error"] = fields.pop("is_error")
        return self.add("user", message={"role": "user", "content": [block]}, **fields)

    def step(self, command: str = "make test", output: str = "ok", is_error: bool = False) -> None:
        """A call and its answer."""
        call = self.call(given={"command": command})["message"]["content"][0]["id"]
        self.result(call, output, is_error=is_error)

    def lines(self) -> list[bytes]:
        """The records as lines."""
        return [as_line(record) for record in self.records]

    def text(self) -> bytes:
        """The whole file."""
        return b"".join(self.lines())

    def write(self, home: Path, project: str = "-work-app", name: str = "") -> Path:
        """Puts the log where Claude Code would."""
        if self.agent and not name:
            name = f"agent-{self.agent}"
        path = home / ".claude" / "projects" / project / f"{name or self.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.text())
        return path


def as_line(record: Json) -> bytes:
    """A record as the agent writes it."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
