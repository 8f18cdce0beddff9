"""Writes sessions of Pi for tests, entry by entry."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from tests.claude_log import Json, as_line, moment

SESSION = "019d0000-0000-7000-8000-000000000001"


class PiLog:
    """A session that is being written; each method appends an entry and returns it."""

    def __init__(
        self, session: str = SESSION, cwd: str = "/work/app", start: float = 0, **head: Any
    ) -> None:
        self.session = session
        self.second = start
        self.model = "gpt-5.2"
        self._thought = ""
        self._tools: dict[str, str] = {}
        first: Json = {"type": "session", "version": 3, "id": session, "timestamp": moment(start)}
        self.records: list[Json] = [{**first, "cwd": cwd, **head}]
        self.last: str | None = None

    def entry(self, kind: str, /, **fields: Any) -> Json:
        """Appends an entry below the last one, a second after it."""
        self.second += 1
        name = f"{len(self.records):08x}"
        record: Json = {"type": kind, "id": name, "parentId": self.last}
        record |= {"timestamp": moment(self.second), **fields}
        self.last = name
        self.records.append(record)
        return record

    def say(self, role: str, content: object, **fields: Any) -> Json:
        """A message of any role."""
        return self.entry("message", message={"role": role, "content": content, **fields})

    def prompt(self, text: str = "fix the failing test") -> Json:
        """What a person asks."""
        return self.say("user", [{"type": "text", "text": text}])

    def think(self, text: str) -> None:
        """What the model thinks comes with its next answer."""
        self._thought = text

    def answer(self, parts: list[Json], told: Json | None = None, stop: str = "stop") -> Json:
        """What the model says, with what it took."""
        thoughts = [{"type": "thinking", "thinking": self._thought}] if self._thought else []
        self._thought = ""
        return self.say(
            "assistant",
            [*thoughts, *parts],
            provider="openai",
            model=self.model,
            usage=told or usage(fresh=20, out=7),
            stopReason=stop,
            responseId=f"resp_{self.session}_{len(self.records)}",
        )

    def reply(self, text: str = "Done.") -> Json:
        """What the agent says."""
        return self.answer([{"type": "text", "text": text}])

    def call(self, tool: str = "bash", given: Json | None = None, text: str = "") -> str:
        """A tool's call; returns its id."""
        name = f"call_{self.session[-4:]}_{len(self.records)}"
        call = {
            "type": "toolCall",
            "id": name,
            "name": tool,
            "arguments": given or {"command": "ls"},
        }
        said = [{"type": "text", "text": text}] if text else []
        self.answer([*said, call], stop="toolUse")
        self._tools[name] = tool
        return name

    def result(self, call: str, text: str = "ok", code: int | None = None, error: str = "") -> Json:
        """How a call ends: a command that fails is an error, with its code as the last line."""
        shown = f"{text}\n\n\nCommand exited with code {code}" if code else text
        return self.say(
            "toolResult",
            [{"type": "text", "text": error or shown}],
            toolCallId=call,
            toolName=self._tools[call],
            isError=bool(error or code),
        )

    def step(self, output: str = "ok", code: int = 0) -> None:
        """A command and what came of it."""
        self.result(self.call(), output, code)

    def spend(self, fresh: int = 0, cached: int = 0, out: int = 0, reasoning: int = 0) -> None:
        """An answer that took so much."""
        self.answer([{"type": "text", "text": "So it is."}], usage(fresh, cached, out, reasoning))

    def fork(self, session: str, start: float) -> PiLog:
        """Another session that begins with all entries of this one."""
        log = PiLog(session, start=start, parentSession=f"/x/2026_{self.session}.jsonl")
        log.records += copy.deepcopy(self.records[1:])
        log.last = self.last
        return log

    def text(self) -> bytes:
        """The file's content."""
        return b"".join(map(as_line, self.records))

    def write(self, home: Path) -> Path:
        """Puts the log where Pi does."""
        folder = home / ".pi" / "agent" / "sessions" / "--work-app--"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"2026-02-02T02-40-00-000Z_{self.session}.jsonl"
        path.write_bytes(self.text())
        return path


def usage(
    fresh: int = 0, cached: int = 0, out: int = 0, reasoning: int = 0, usd: float = 0.001
) -> Json:
    """The tokens of an answer: input without what was cached, output with reasoning."""
    told = {"input": fresh, "output": out, "cacheRead": cached, "cacheWrite": 0}
    total = {"totalTokens": fresh + cached + out, "reasoning": reasoning}
    return {**told, **total, "cost": {"total": usd}}
