"""Writes sessions of Copilot CLI for tests, event by event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.claude_log import Json, as_line, moment

SESSION = "c0c0c0c0-0000-4000-8000-000000000001"


class CopilotLog:
    """A session that is being written; each method appends an event and returns it."""

    def __init__(self, session: str = SESSION, cwd: str = "/work/app", start: float = 0) -> None:
        self.session = session
        self.second = start
        self.records: list[Json] = []
        self.model = "claude-sonnet-4.6"
        self.agent = ""
        self._totals: dict[str, list[int]] = {}
        self._thought = ""
        place = {"cwd": cwd, "gitRoot": cwd, "branch": "main", "repository": "acme/app"}
        start_data = {"sessionId": session, "version": 1, "copilotVersion": "1.0.60"}
        self.event("session.start", **start_data, context=place)
        self.event("session.model_change", newModel=self.model)

    def event(self, kind: str, /, **data: Any) -> Json:
        """Appends an event, a second after the one before."""
        self.second += 1
        number = len(self.records)
        before = self.records[-1]["id"] if self.records else None
        record: Json = {"type": kind, "data": data}
        if self.agent:
            record["agentId"] = self.agent
        record |= {
            "id": f"{self.session[:8]}-{number:06}",
            "timestamp": moment(self.second),
            "parentId": before,
        }
        self.records.append(record)
        return record

    def prompt(self, text: str = "fix the failing test", **fields: Any) -> Json:
        """What a person asks, behind the hook that hears of it."""
        given = {"sessionId": self.session, "prompt": text}
        self.event("hook.start", hookType="userPromptSubmitted", input=given)
        self.event("hook.end", hookType="userPromptSubmitted", success=True)
        return self.event("user.message", content=text, attachments=[], **fields)

    def think(self, text: str) -> None:
        """What the model thinks comes with its next answer."""
        self._thought = text

    def answer(self, text: str = "", requests: list[Json] | None = None, out: int = 7) -> Json:
        """What the model says and asks for."""
        data: Json = {
            "messageId": f"m-{self.session[:8]}-{len(self.records)}",
            "content": text,
            "toolRequests": requests or [],
            "outputTokens": out,
            "model": self.model,
        }
        if self._thought:
            data["reasoningText"], self._thought = self._thought, ""
        self._totals.setdefault(self.model, [0] * 5)[1] += out
        return self.event("assistant.message", **data)

    def reply(self, text: str = "Done.") -> Json:
        """What the agent says."""
        return self.answer(text)

    def call(self, tool: str = "bash", given: Json | None = None, text: str = "") -> str:
        """A tool's call, with the answer and where it begins; returns its id."""
        name = f"toolu_{self.session[:8]}_{len(self.records)}"
        arguments = given or {"command": "ls", "description": "List"}
        self.answer(text, [{"toolCallId": name, "name": tool, "arguments": arguments}])
        self.event("tool.execution_start", toolCallId=name, toolName=tool, arguments=arguments)
        return name

    def result(self, call: str, text: str = "ok", code: int | None = None, error: str = "") -> Json:
        """How a call ends; a command that fails is a success, with its code in words."""
        if error:
            failure = {"message": error, "code": "failure"}
            return self.event(
                "tool.execution_complete", toolCallId=call, success=False, error=failure
            )
        shown = text if code is None else f"{text}\n<shellId: 4 completed with exit code {code}>"
        metrics = {"exit_code": code} if code else {}
        return self.event(
            "tool.execution_complete",
            toolCallId=call,
            success=True,
            result={"content": shown, "detailedContent": shown},
            toolTelemetry={"properties": {}, "metrics": metrics},
        )

    def step(self, output: str = "ok", code: int = 0) -> None:
        """A command and what came of it."""
        self.result(self.call(), output, code)

    def spend(self, fresh: int = 0, cached: int = 0, out: int = 0, reasoning: int = 0) -> None:
        """A run ends, with the sums so far; `out` is what no answer told."""
        sums = self._totals.setdefault(self.model, [0] * 5)
        for at, count in enumerate((fresh + cached, out, cached, 0, reasoning)):
            sums[at] += count
        names = [
            "inputTokens",
            "outputTokens",
            "cacheReadTokens",
            "cacheWriteTokens",
            "reasoningTokens",
        ]
        metrics = {
            model: {
                "requests": {"count": 1, "cost": 0},
                "usage": dict(zip(names, told, strict=True)),
            }
            for model, told in self._totals.items()
        }
        self.event("session.shutdown", shutdownType="routine", modelMetrics=metrics)

    def compact(self, summary: str = "what was done") -> None:
        """A summary takes the place of the conversation, and all sums begin anew."""
        self._totals = {}
        used = {"inputTokens": 30, "outputTokens": 4, "cacheReadTokens": 10, "model": self.model}
        self.event(
            "session.compaction_complete",
            success=True,
            summaryContent=summary,
            compactionTokensUsed=used,
        )

    def text(self) -> bytes:
        """The file's content."""
        return b"".join(map(as_line, self.records))

    def write(self, home: Path) -> Path:
        """Puts the log where Copilot does."""
        path = home / ".copilot" / "session-state" / self.session / "events.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.text())
        return path
