"""Grok Build's session folders: the same story in a chat, a stream of updates and telemetry."""

from __future__ import annotations

from pathlib import Path
from random import Random
from urllib.parse import quote

from helix_tui.sample import steps as kinds
from helix_tui.sample.session import Files, Json, Log, SampleSession, as_json, as_lines

_NAMES = {
    kinds.Run: ("run_terminal_command", "execute"),
    kinds.Read: ("read_file", "read"),
    kinds.Edit: ("search_replace", "edit"),
}
_MISMATCH = (
    "The string to replace was not found in the file, use the read_file tool to see the correct "
    "string."
)
_CHUNK = 160
# Ticks per token of each kind: what Grok records is in units of 1e-10 USD.
_PRICES = {"cached": 5_000, "fresh": 20_000, "written": 60_000}


class GrokLog(Log):
    """A session that is being written."""

    def __init__(self, session: SampleSession, random: Random) -> None:
        super().__init__(session, random)
        self.native_id = self.timed_uuid()
        self._began = self.stamp()
        self._chat: list[Json] = []
        self._updates: list[Json] = []
        self._events: list[Json] = []
        self._prompts = 0
        self._prompt_id = ""
        self._words = ""
        self._spent = {"cached": 0, "fresh": 0, "written": 0}
        self._requests = 0

    def files(self) -> Files:
        """The files of the session's folder."""
        session = self.session
        about = f"<user_info>\nOS: linux\nShell: bash\nWorkspace Path: {session.cwd}\n</user_info>"
        self._chat.append({"type": "system", "content": "You are Grok, a coding assistant."})
        self._chat.append({"type": "user", "content": [{"type": "text", "text": about}]})
        for step in session.steps:
            self._take(step)
        self._end_turn()
        asked = next((step.text for step in session.steps if isinstance(step, kinds.Ask)), "")
        summary = {
            "info": {"id": self.native_id, "cwd": session.cwd},
            "session_summary": asked[:80],
            "created_at": self._began,
            "updated_at": self.stamp(),
            "num_messages": len(self._updates),
            "num_chat_messages": len(self._chat),
            "current_model_id": session.model,
            "head_branch": session.branch,
            "chat_format_version": 1,
        }
        folder = Path(".grok", "sessions", quote(session.cwd, safe=""), self.native_id)
        return {
            folder / "summary.json": as_json(summary).encode(),
            folder / "chat_history.jsonl": as_lines(self._chat),
            folder / "updates.jsonl": as_lines(self._updates),
            folder / "events.jsonl": as_lines(self._events),
        }

    def _take(self, step: kinds.Step) -> None:
        match step:
            case kinds.Ask(text):
                self._ask(text)
            case kinds.Say(text):
                self._speak_before()
                self._words = text
            case kinds.Think(text):
                self._speak_before()
                self.wait(1, 6)
                summary = [{"type": "summary_text", "text": text}]
                self._chat.append({"type": "reasoning", "id": self.name("rs_"), "summary": summary})
                self._chunks("agent_thought_chunk", text)
            case kinds.Run() | kinds.Read() | kinds.Edit():
                self._call(step)
            case kinds.Together(runs):
                for run in runs:
                    self._call(run)
            case kinds.Interrupt():
                self._speak_before()
                self.wait(2, 9)
                self._event("turn_ended", outcome="cancelled", cancellation_category="user")
                self._prompt_id = ""
            case kinds.Compact():
                pass  # a compacted chat is rewritten; what the sample tells needs none of Grok
            case kinds.ApiError(message):
                self._update("retry_state", attempt=1, max_attempts=5, error=message)
                self.wait(5, 30)
            case kinds.Delegate(_, _, steps, answer):
                for inner in (*steps, kinds.Say(answer)):
                    self._take(inner)

    def _update(self, kind: str, /, **fields: object) -> None:
        is_own = kind in ("turn_completed", "retry_state")
        event = f"{self.native_id}-{len(self._updates)}"
        params = {
            "sessionId": self.native_id,
            "update": {"sessionUpdate": kind, **fields},
            "_meta": {"eventId": event, "agentTimestampMs": int(self.now * 1000)},
        }
        method = "_x.ai/session/update" if is_own else "session/update"
        line = {"timestamp": int(self.now), "method": method, "params": params}
        self._updates.append(line)

    def _event(self, kind: str, /, **fields: object) -> None:
        self._events.append({"ts": self.stamp(), "type": kind, **fields})

    def _chunks(self, kind: str, text: str, **fields: object) -> None:
        for start in range(0, len(text), _CHUNK):
            piece = {"type": "text", "text": text[start : start + _CHUNK]}
            self._update(kind, content=piece, **fields)

    def _ask(self, text: str) -> None:
        self._end_turn()
        self.wait(25, 400)
        index, self._prompts = self._prompts, self._prompts + 1
        self._prompt_id = self.uuid()
        self._event(
            "turn_started",
            session_id=self.native_id,
            turn_number=index,
            model_id=self.session.model,
            yolo_mode=False,
        )
        meta = {"promptIndex": index, "modelId": self.session.model}
        self._chunks("user_message_chunk", text, _meta=meta)
        asked = [{"type": "text", "text": f"<user_query>\n{text}\n</user_query>"}]
        self._chat.append({"type": "user", "content": asked, "prompt_index": index})
        self.heard(text)

    def _speak_before(self, call: Json | None = None) -> None:
        """Write the text that was held back, together with its call."""
        if not self._words and call is None:
            return
        self.wait(1, 7)
        self._chunks("agent_message_chunk", self._words)
        row: Json = {"type": "assistant", "content": self._words, "model_id": self.session.model}
        if call is not None:
            row["tool_calls"] = [call]
        self._chat.append(row)
        cached, fresh, written = self.spend(as_json(row))
        self._requests += 1
        for kind, count in (("cached", cached), ("fresh", fresh), ("written", written)):
            self._spent[kind] += count
        self._words = ""

    def _call(self, tool: kinds.Tool) -> None:
        name, kind = _NAMES[type(tool)]
        call, arguments = f"call-{self.uuid()}", _input(tool)
        self._speak_before({"id": call, "name": name, "arguments": as_json(arguments)})
        about = {"x.ai/tool": {"name": name, "kind": kind}}
        self._update(
            "tool_call",
            toolCallId=call,
            title=name,
            kind=kind,
            status="pending",
            rawInput=arguments,
            _meta=about,
        )
        self._event("tool_started", tool_name=name)
        began = self.now
        self.wait(0.1, 2)
        self.now += tool.seconds if isinstance(tool, kinds.Run) else 0
        text, outcome = self._result(tool)
        fields: Json = {"status": "completed" if outcome == "success" else "failed"}
        if isinstance(tool, kinds.Run) and not tool.fault:
            # A command that exits with an error is a call that was completed.
            fields = {"status": "completed", "rawOutput": _raw_output(tool, text)}
        content = [{"type": "content", "content": {"type": "text", "text": text}}]
        self._update("tool_call_update", toolCallId=call, content=content, _meta=about, **fields)
        self._event(
            "tool_completed",
            tool_name=name,
            duration_ms=int((self.now - began) * 1000),
            outcome=outcome,
            tool_call_id=call,
        )
        self._chat.append({"type": "tool_result", "tool_call_id": call, "content": text})
        self.heard(text)

    def _result(self, tool: kinds.Tool) -> tuple[str, str]:
        match tool:
            case kinds.Run(fault="refused"):
                notice = "User cancelled the execution for tool `run_terminal_command`"
                return notice, "permission_rejected"
            case kinds.Run(code=0):
                return tool.output, "success"
            case kinds.Run():
                return f"exit: {tool.code}\n{tool.output}", "error"
            case kinds.Read():
                return self.numbered(tool.text), "success"
            case kinds.Edit(fault=""):
                return f"The file {tool.path} has been updated successfully.", "success"
        return _MISMATCH, "error"

    def _end_turn(self) -> None:
        self._speak_before()
        if self._prompt_id:
            self._update(
                "turn_completed",
                prompt_id=self._prompt_id,
                stop_reason="end_turn",
                usage=self._usage(),
            )
            self._event("turn_ended", outcome="completed")
        self._prompt_id = ""
        self._spent = dict.fromkeys(self._spent, 0)
        self._requests = 0

    def _usage(self) -> Json:
        spent = self._spent
        return {
            "inputTokens": spent["cached"] + spent["fresh"],
            "outputTokens": spent["written"],
            "totalTokens": sum(spent.values()),
            "cachedReadTokens": spent["cached"],
            "reasoningTokens": spent["written"] // 3,
            "modelCalls": max(self._requests, 1),
            "costUsdTicks": sum(_PRICES[kind] * count for kind, count in spent.items()),
        }


def _input(tool: kinds.Tool) -> Json:
    if isinstance(tool, kinds.Run):
        return {"command": tool.command, "description": f"Run {tool.command.split()[0]}"}
    if isinstance(tool, kinds.Read):
        return {"target_file": tool.path}
    return {"file_path": tool.path, "old_string": tool.old, "new_string": tool.new}


def _raw_output(tool: kinds.Run, text: str) -> Json:
    return {
        "type": "Bash",
        "output": list(tool.output.encode()),
        "output_for_prompt": text,
        "exit_code": tool.code,
        "command": tool.command,
        "timed_out": False,
    }
