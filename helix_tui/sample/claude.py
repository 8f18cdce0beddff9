"""Claude Code's logs: a record for each block, those of one message with the same id."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from helix_tui.sample import steps as kinds
from helix_tui.sample.session import Files, Json, Log, SampleSession, as_json, as_lines

_VERSION = "2.1.241"
_REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was "
    "a file edit, the new_string was NOT written to the file). STOP what you are doing and wait "
    "for the user to tell you how to proceed."
)
_UNREAD = "File has not been read yet. Read it first before writing to it."


class ClaudeLog(Log):
    """A log that is being written."""

    def __init__(
        self, session: SampleSession, random: Random, parent: ClaudeLog | None = None
    ) -> None:
        super().__init__(session, random)
        self.native_id: str = parent.native_id if parent else self.uuid()
        self._agent = f"a{random.getrandbits(28):07x}" if parent else None
        self._records: list[Json] = []
        self._last: str | None = None
        self._lead: list[Json] = []
        self._children: Files = {}
        slug = re.sub(r"[^A-Za-z0-9]", "-", session.cwd)
        self._folder = Path(".claude", "projects", slug)

    def files(self) -> Files:
        """The session's log and those of its sub-agents."""
        for step in self.session.steps:
            self._take(step)
        self._answer()
        if self._agent:
            folder = self._folder / self.native_id / "subagents"
            about = {"agentType": "Explore", "spawnDepth": 1, "model": self.session.model}
            return {
                folder / f"agent-{self._agent}.jsonl": as_lines(self._records),
                folder / f"agent-{self._agent}.meta.json": as_json(about).encode(),
            }
        mode = {"type": "permission-mode", "permissionMode": "default", "sessionId": self.native_id}
        log = as_lines([mode, *self._records])
        return {self._folder / f"{self.native_id}.jsonl": log, **self._children}

    def _take(self, step: kinds.Step) -> None:
        match step:
            case kinds.Ask(text):
                self._answer()
                self.wait(25, 400)
                self.heard(text)
                self._put("user", message={"role": "user", "content": text})
            case kinds.Say(text):
                self._lead.append({"type": "text", "text": text})
            case kinds.Think(text):
                signature = self.name("", 180)
                self._lead.append({"type": "thinking", "thinking": text, "signature": signature})
            case kinds.Run() | kinds.Read() | kinds.Edit():
                self._call([step])
            case kinds.Together(runs):
                self._call(list(runs))
            case kinds.Delegate():
                self._delegate(step)
            case kinds.Interrupt():
                self._answer()
                self.wait(2, 9)
                notice = {"type": "text", "text": "[Request interrupted by user]"}
                self._put("user", message={"role": "user", "content": [notice]})
            case kinds.Compact(summary):
                self._compact(summary)
            case kinds.ApiError(message):
                self._fail(message)

    def _put(self, kind: str, **fields: object) -> None:
        record: Json = {
            "parentUuid": self._last,
            "isSidechain": self._agent is not None,
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self.session.cwd,
            "sessionId": self.native_id,
            "version": _VERSION,
            "gitBranch": self.session.branch,
            "type": kind,
            "uuid": self.uuid(),
            "timestamp": self.stamp(),
            **fields,
        }
        if self._agent:
            record["agentId"] = self._agent
        self._last = record["uuid"]
        self._records.append(record)

    def _answer(self) -> None:
        if self._lead:
            self._message([], "end_turn")

    def _message(self, calls: list[Json], stop: str) -> None:
        """One message of the model, a record for each of its blocks; the last has all tokens."""
        blocks, self._lead = [*self._lead, *calls], []
        name, request = self.name("msg_01"), self.name("req_01")
        cached, fresh, written = self.spend(as_json(blocks))
        for number, block in enumerate(blocks, start=1):
            self.wait(1.5, 9)
            is_last = number == len(blocks)
            usage = {
                "input_tokens": 4,
                "cache_creation_input_tokens": fresh,
                "cache_read_input_tokens": cached,
                "output_tokens": written if is_last else 8,
                "cache_creation": {
                    "ephemeral_5m_input_tokens": fresh,
                    "ephemeral_1h_input_tokens": 0,
                },
                "service_tier": "standard",
            }
            message = {
                "id": name,
                "type": "message",
                "role": "assistant",
                "model": self.session.model,
                "content": [block],
                "stop_reason": stop if is_last else None,
                "usage": usage,
            }
            self._put("assistant", message=message, requestId=request)

    def _call(self, tools: list[kinds.Tool]) -> None:
        calls = [(tool, self.name("toolu_01")) for tool in tools]
        self._message(
            [
                {"type": "tool_use", "id": call, "name": type_of(tool), "input": self._input(tool)}
                for tool, call in calls
            ],
            "tool_use",
        )
        for tool, call in calls:
            self.wait(0.1, 2.5)
            self.now += tool.seconds if isinstance(tool, kinds.Run) else 0
            text, is_error = self._result(tool)
            self._tell(call, text, is_error)

    def _tell(self, call: str, text: str, is_error: bool = False) -> None:
        self.heard(text)
        block: Json = {"tool_use_id": call, "type": "tool_result", "content": text}
        if is_error:
            block["is_error"] = True
        self._put("user", message={"role": "user", "content": [block]})

    def _input(self, tool: kinds.Tool) -> Json:
        if isinstance(tool, kinds.Run):
            return {"command": tool.command, "description": f"Run {tool.command.split()[0]}"}
        path = f"{self.session.cwd}/{tool.path}"
        if isinstance(tool, kinds.Read):
            return {"file_path": path}
        return {"file_path": path, "old_string": tool.old, "new_string": tool.new}

    def _result(self, tool: kinds.Tool) -> tuple[str, bool]:
        match tool:
            case kinds.Run(fault="refused"):
                return _REFUSED, True
            case kinds.Run(fault="cascade"):
                return "<tool_use_error>Sibling tool call errored</tool_use_error>", True
            case kinds.Run(code=0):
                return tool.output, False
            case kinds.Run():
                return f"Exit code {tool.code}\n{tool.output}".rstrip("\n"), True
            case kinds.Read():
                return self.numbered(tool.text), False
            case kinds.Edit(fault="unread"):
                return f"<tool_use_error>{_UNREAD}</tool_use_error>", True
            case kinds.Edit(fault="mismatch"):
                error = f"String to replace not found in file.\nString: {tool.old}"
                return f"<tool_use_error>{error}</tool_use_error>", True
        path = f"{self.session.cwd}/{tool.path}"
        return f"The file {path} has been updated successfully.", False

    def _delegate(self, step: kinds.Delegate) -> None:
        call = self.name("toolu_01")
        arguments = {"description": step.title, "prompt": step.task, "subagent_type": "Explore"}
        self._message(
            [{"type": "tool_use", "id": call, "name": "Task", "input": arguments}], "tool_use"
        )
        steps = [kinds.Ask(step.task), *step.steps, kinds.Say(step.answer)]
        own = self.session._replace(model="claude-haiku-4-5", start=self.now, steps=steps)
        child = ClaudeLog(own, self.random, self)
        self._children |= child.files()
        self.now = child.now + 1
        self._tell(call, step.answer)

    def _compact(self, summary: str) -> None:
        self._answer()
        about = {"trigger": "auto", "preTokens": self.context + 130_000}
        self.wait(20, 60)
        self._put(
            "system",
            subtype="compact_boundary",
            content="Conversation compacted",
            isMeta=False,
            level="info",
            compactMetadata=about,
        )
        self.shrink()
        self._put("user", message={"role": "user", "content": summary}, isCompactSummary=True)

    def _fail(self, message: str) -> None:
        """A failed attempt, and the message that the client shows when it gives up."""
        self._answer()
        self.wait(5, 30)
        self._put("system", subtype="api_error", level="error", retryAttempt=10, maxRetries=10)
        content = {
            "id": self.uuid(),
            "model": "<synthetic>",
            "role": "assistant",
            "content": [{"type": "text", "text": f"API Error: {message}"}],
            "usage": {"input_tokens": 0, "output_tokens": 0},
        }
        self._put("assistant", message=content, isApiErrorMessage=True)


def type_of(tool: kinds.Tool) -> str:
    """The name of the tool."""
    return (
        "Bash"
        if isinstance(tool, kinds.Run)
        else "Read"
        if isinstance(tool, kinds.Read)
        else "Edit"
    )
