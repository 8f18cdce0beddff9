"""Gemini CLI's chats: a row for each message, and again for an answer whose call has ended."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from helix_tui.sample import steps as kinds
from helix_tui.sample.session import Files, Json, Log, SampleSession, as_json, as_lines

_REFUSED = "[Operation Cancelled] Reason: User denied execution."
_MISMATCH = (
    "Failed to edit, 0 occurrences found for old_string in {path}. No edits made. The exact text "
    "in old_string was not found. Ensure you're not escaping content incorrectly and check "
    "whitespace, indentation, and context."
)


class GeminiLog(Log):
    """A chat that is being written."""

    def __init__(self, session: SampleSession, random: Random) -> None:
        super().__init__(session, random)
        self.native_id = self.uuid()
        self._rows: list[Json] = []
        self._thoughts: list[Json] = []
        self._said = ""

    def files(self) -> Files:
        """The chat."""
        began = datetime.fromtimestamp(self.now, UTC)
        cwd = self.session.cwd
        head = {"sessionId": self.native_id, "kind": "main", "startTime": self.stamp()}
        head |= {"projectHash": hashlib.sha256(cwd.encode()).hexdigest()}
        self._rows.append({**head, "lastUpdated": self.stamp()})
        told = f"This is the Gemini CLI.\n- **Workspace Directories:**\n  - {cwd}\n"
        self._put("user", [{"text": f"<session_context>\n{told}</session_context>"}])
        for step in self.session.steps:
            self._take(step)
        self._answer()
        name = f"session-{began:%Y-%m-%dT%H-%M}-{self.native_id[:8]}.jsonl"
        folder = Path(".gemini", "tmp", Path(cwd).name, "chats")
        return {folder / name: as_lines(self._rows)}

    def _take(self, step: kinds.Step) -> None:
        match step:
            case kinds.Ask(text):
                self._answer()
                self.wait(25, 400)
                self.heard(text)
                self._put("user", [{"text": text}])
            case kinds.Say(text):
                self._said = f"{self._said}\n\n{text}".strip()
            case kinds.Think(text):
                self._thoughts.append({"subject": "Considering", "description": text})
            case kinds.Run() | kinds.Read() | kinds.Edit():
                self._call(step)
            case kinds.Together(runs):
                for run in runs:
                    self._call(run)
            case kinds.Interrupt():
                self._answer()
                self.wait(2, 9)
                self._put("info", "Request cancelled.")
            case kinds.Compact(summary):
                self._answer()
                self.shrink()
                snapshot = f"<state_snapshot>\n{summary}\n</state_snapshot>"
                self._rows.append({"$set": {"messages": [self._row("user", [{"text": snapshot}])]}})
            case kinds.ApiError(message):
                self._answer()
                self.wait(5, 30)
                self._put("error", f"[API Error: {message}]")
            case kinds.Delegate(_, _, steps, answer):
                for inner in (*steps, kinds.Say(answer)):
                    self._take(inner)

    def _row(self, kind: str, content: object, **fields: object) -> Json:
        return {
            "id": self.uuid(),
            "timestamp": self.stamp(),
            "type": kind,
            "content": content,
            **fields,
        }

    def _put(self, kind: str, content: object, **fields: object) -> Json:
        row = self._row(kind, content, **fields)
        self._rows.append(row)
        return row

    def _answer(self, call: str = "") -> Json | None:
        """What the model said, with what it took; nothing where it neither spoke nor called."""
        said, self._said = self._said, ""
        thoughts, self._thoughts = self._thoughts, []
        if not (said or thoughts or call):
            return None
        self.wait(1.5, 9)
        cached, fresh, written = self.spend(f"{said}{as_json(thoughts)}{call}")
        tokens = {"input": cached + fresh, "output": written, "cached": cached}
        tokens |= {"thoughts": written // 4, "tool": 0}
        tokens["total"] = cached + fresh + written + written // 4
        return self._put("gemini", said, thoughts=thoughts, tokens=tokens, model=self.session.model)

    def _call(self, tool: kinds.Tool) -> None:
        name, given = _name_of(tool), self._input(tool)
        row = self._answer(as_json(given))
        assert row is not None, "a call is an answer"
        self.wait(0.1, 2.5)
        self.now += tool.seconds if isinstance(tool, kinds.Run) else 0
        text, error = self._result(tool)
        self.heard(text or error)
        call: Json = {"id": f"{name}-{self.name('', 12)}", "name": name, "args": given}
        said = {"error": error} if error else {"output": text}
        response = {"functionResponse": {"id": call["id"], "name": name, "response": said}}
        call |= {"status": "error" if error else "success", "result": [response]}
        self._rows.append({**row, "toolCalls": [{**call, "resultDisplay": error or text}]})
        self._put("user", [response])

    def _input(self, tool: kinds.Tool) -> Json:
        if isinstance(tool, kinds.Run):
            return {"command": tool.command, "description": f"Run {tool.command.split()[0]}"}
        path = f"{self.session.cwd}/{tool.path}"
        if isinstance(tool, kinds.Read):
            return {"absolute_path": path}
        return {"file_path": path, "old_string": tool.old, "new_string": tool.new}

    def _result(self, tool: kinds.Tool) -> tuple[str, str]:
        """The output, or the error of a call that failed as one."""
        match tool:
            case kinds.Run(fault="refused"):
                return "", _REFUSED
            case kinds.Run():
                ended = f"\nExit Code: {tool.code}" if tool.code else ""
                printed = tool.output or "(empty)"
                return f"Output: {printed}{ended}\nProcess Group PGID: 4711", ""
            case kinds.Read():
                return tool.text, ""
        path = f"{self.session.cwd}/{tool.path}"
        if tool.fault:
            return "", _MISMATCH.format(path=path)
        return f"Successfully modified file: {path} (1 replacements).", ""


def _name_of(tool: kinds.Tool) -> str:
    if isinstance(tool, kinds.Run):
        return "run_shell_command"
    return "read_file" if isinstance(tool, kinds.Read) else "replace"
