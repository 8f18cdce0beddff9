"""Writes Grok Build sessions for tests: a folder whose files tell the same story, each its own way.

Every method adds what Grok would add to each file; a test then takes some of it away.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.claude_log import START, Json, as_line, moment

FOLDER = "01a10000-0000-7000-8000-000000000001"
CHILD = "01a10000-0000-7000-8000-000000000002"
SUMMARY, EVENTS, UPDATES, CHAT = (
    "summary.json",
    "events.jsonl",
    "updates.jsonl",
    "chat_history.jsonl",
)
PARTS = (SUMMARY, EVENTS, UPDATES, CHAT)
TICKS = 10_000_000_000


def usage(fresh: int = 10, read: int = 100, out: int = 5, reasoning: int = 0, **more: Any) -> Json:
    """What a turn cost as Grok counts: input with what was cached, output with reasoning."""
    return {
        "inputTokens": fresh + read,
        "outputTokens": out,
        "totalTokens": fresh + read + out,
        "cachedReadTokens": read,
        "reasoningTokens": reasoning,
        "modelCalls": 1,
        **more,
    }


class GrokLog:
    """A session that is being written; `version` is the form of the rows of its chat."""

    def __init__(
        self,
        session: str = FOLDER,
        cwd: str = "/work/app",
        start: float = 0,
        version: int = 1,
        **summary: Any,
    ) -> None:
        self.session = session
        self.cwd = cwd
        self.second = start
        self.version = version
        self.prompts = 0
        self._calls = 0
        self.chat: list[Json] = []
        self.updates: list[Json] = []
        self.events: list[Json] = []
        self.summary: Json = {
            "info": {"id": session, "cwd": cwd},
            "session_summary": "a session",
            "created_at": moment(start),
            "updated_at": moment(start + 900),
            "current_model_id": "grok-build-1",
            "head_branch": "main",
            "chat_format_version": version,
            **summary,
        }

    def row(self, kind: str, /, **fields: Any) -> Json:
        """Adds a row to the chat."""
        self.chat.append({"type" if self.version else "role": kind, **fields})
        return self.chat[-1]

    def update(self, kind: str, /, *, stamps: Json | None = None, **fields: Any) -> Json:
        """Adds an update, a second after the one before."""
        self.second += 1
        made = int((START + self.second) * 1000)
        meta = {"eventId": f"{self.session}-{len(self.updates)}", "agentTimestampMs": made}
        method = "_x.ai/session/update" if kind == "turn_completed" else "session/update"
        params = {
            "sessionId": self.session,
            "update": {"sessionUpdate": kind, **fields},
            "_meta": {**meta, **(stamps or {})},
        }
        self.updates.append(
            {"timestamp": int(START + self.second), "method": method, "params": params}
        )
        return self.updates[-1]

    def event(self, kind: str, /, **fields: Any) -> Json:
        """Adds a line to the telemetry."""
        self.events.append({"ts": moment(self.second), "type": kind, **fields})
        return self.events[-1]

    def chunk(self, kind: str, text: str, /, **fields: Any) -> Json:
        """Adds a piece of what is being said."""
        return self.update(
            f"{kind}_chunk", content={"type": "text", "text": text, **fields.pop("piece", {})},
            **fields,
        )  # fmt: skip

    def prompt(self, text: str = "fix the failing test", **row: Any) -> None:
        """What a person asks; the updates cut it in two."""
        index = self.prompts
        self.prompts += 1
        self.event("turn_started", turn_number=index, model_id="grok-build-1")
        half = len(text) // 2
        for piece in (text[:half], text[half:]):
            self.chunk("user_message", piece, _meta={"promptIndex": index})
        asked = f"<user_query>\n{text}\n</user_query>"
        if self.version:
            content = [{"type": "text", "text": asked}]
            self.row("user", content=content, prompt_index=index, **row)
        else:
            self.row("user", content=asked, **row)

    def think(self, text: str = "consider") -> None:
        """What the agent thinks."""
        self.chunk("agent_thought", text)
        if self.version:
            self.row("reasoning", id="r", summary=[{"type": "summary_text", "text": text}])
        else:
            self.row("assistant", content="", reasoning_content=text)

    def reply(self, text: str = "Done.") -> None:
        """What the agent says, in as many chunks as it has words."""
        words = text.split(" ")
        for number, word in enumerate(words):
            self.chunk("agent_message", f" {word}" if number else word)
        self.row("assistant", content=text)

    def call(self, tool: str = "bash", call: str = "", given: Json | None = None) -> str:
        """A tool's call; returns its id."""
        self._calls += 1
        name = call or f"call-{self.session[-4:]}-{self._calls}"
        arguments = given or {"command": "make test"}
        self.event("tool_started", tool_name=tool)
        self.update(
            "tool_call",
            toolCallId=name,
            title=tool,
            kind="execute",
            status="pending",
            rawInput=arguments,
            _meta={"x.ai/tool": {"name": tool}},
        )
        text = json.dumps(arguments, separators=(",", ":"))
        made: Json = {"id": name, "name": tool, "arguments": text}
        if not self.version:
            made = {"id": name, "type": "function", "function": {"name": tool, "arguments": text}}
        self.row("assistant", content="", tool_calls=[made])
        return name

    def result(
        self,
        call: str,
        output: str = "ok",
        *,
        outcome: str | None = "success",
        status: str = "completed",
        exit_code: int | None = 0,
    ) -> None:
        """A tool's answer; what is None is not told."""
        raw = {"type": "Bash", "output": list(output.encode()), "exit_code": exit_code}
        content = [{"type": "content", "content": {"type": "text", "text": output}}]
        title = "Execute `make test`"
        common: Json = {"toolCallId": call, "title": title, "content": content}
        self.update("tool_call_update", status="in_progress", **common)
        self.update("tool_call_update", status=status, rawOutput=raw, **common)
        if outcome is not None:
            self.event("tool_completed", tool_name="bash", outcome=outcome, tool_call_id=call)
        self.row("tool_result" if self.version else "tool", tool_call_id=call, content=output)

    def step(self, output: str = "ok", **facts: Any) -> str:
        """A call and its answer."""
        call = self.call()
        self.result(call, output, **facts)
        return call

    def end_turn(self, tokens: Json | None = None, prompt_id: str = "") -> None:
        """The end of a turn, and what it cost."""
        name = prompt_id or f"{self.session}-prompt-{self.prompts}"
        self.update(
            "turn_completed", prompt_id=name, stop_reason="end_turn", usage=tokens or usage()
        )
        self.event("turn_ended", outcome="completed")

    def turn(self, text: str = "fix the failing test") -> None:
        """A whole turn."""
        self.prompt(text)
        self.think(f"about: {text}")
        self.step(f"output of: {text}")
        self.reply(f"done with: {text}")
        self.end_turn()

    def content(self, part: str) -> bytes:
        """One of the files."""
        if part == SUMMARY:
            return json.dumps(self.summary, indent=2).encode()
        lines = {EVENTS: self.events, UPDATES: self.updates, CHAT: self.chat}[part]
        return b"".join(map(as_line, lines))

    def write(
        self,
        home: Path,
        *parts: str,
        without: str = "",
        name: str = "",
        project: str = "",
    ) -> Path:
        """Puts the session's folder where Grok would, with all its files or some of them."""
        above = project or quote(self.cwd, safe="")
        folder = home / ".grok" / "sessions" / above / (name or self.session)
        folder.mkdir(parents=True, exist_ok=True)
        for part in parts or PARTS:
            if part != without:
                (folder / part).write_bytes(self.content(part))
        return folder
