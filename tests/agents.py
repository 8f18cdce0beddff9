"""The same short stories in every agent's log: somebody asks, the agent runs, edits, replies."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from tests.claude_log import ClaudeLog
from tests.codex_log import CodexLog, headed
from tests.grok_log import GrokLog

FLAVORS = ("claude", "codex", "grok")


class Story(Protocol):
    """A session that is being told; `second` may be moved on to let time pass."""

    second: Any

    def ask(self, text: str = "fix the failing parser test") -> None:
        """A person asks or says something."""

    def say(self, text: str) -> None:
        """The agent says something."""

    def run(self, command: str, output: str = "ok", code: int = 0, takes: int = 0) -> None:
        """The agent runs a command, which takes so many seconds."""

    def edit(self, file: str = "/work/app/parser.py", error: str = "") -> None:
        """The agent edits a file, or fails to."""

    def save(self, home: Path) -> Path:
        """Puts the log where the agent would."""


class ClaudeStory(ClaudeLog):
    """A story in a log of Claude Code."""

    def ask(self, text: str = "fix the failing parser test") -> None:
        """A person asks or says something."""
        self.prompt(text)

    def say(self, text: str) -> None:
        """The agent says something."""
        self.reply(text)

    def use(
        self, tool: str, given: dict[str, Any], output: str, is_error: bool = False, takes: int = 0
    ) -> None:
        """The agent calls any tool."""
        call = self.call(tool, given=given)["message"]["content"][0]["id"]
        self.second += takes
        self.result(call, output, is_error=is_error)

    def run(self, command: str, output: str = "ok", code: int = 0, takes: int = 0) -> None:
        """The agent runs a command, which takes so many seconds."""
        said = f"Exit code {code}\n{output}" if code else output
        self.use("Bash", {"command": command}, said, bool(code), takes)

    def edit(self, file: str = "/work/app/parser.py", error: str = "") -> None:
        """The agent edits a file, or fails to."""
        said = f"<tool_use_error>{error}</tool_use_error>" if error else "The file was updated."
        given = {"file_path": file, "old_string": "a", "new_string": str(self.second)}
        self.use("Edit", given, said, bool(error))

    def save(self, home: Path) -> Path:
        """Puts the log where the agent would."""
        return self.write(home)


class CodexStory(CodexLog):
    """A story in a rollout of Codex."""

    def ask(self, text: str = "fix the failing parser test") -> None:
        """A person asks or says something."""
        self.prompt(text)

    def say(self, text: str) -> None:
        """The agent says something."""
        self.reply(text)

    def run(self, command: str, output: str = "ok", code: int = 0, takes: int = 0) -> None:
        """The agent runs a command, which takes so many seconds."""
        call = self.call("exec_command", given={"cmd": command})
        self.second += takes
        self.output(call, headed(code, output))

    def edit(self, file: str = "/work/app/parser.py", error: str = "") -> None:
        """The agent edits a file, or fails to."""
        self._count += 1
        name = f"patch_{self.session[:8]}_{self._count}"
        patch = f"*** Begin Patch\n*** Update File: {file}\n@@\n+{self.second}\n*** End Patch"
        self.item("custom_tool_call", name="apply_patch", input=patch, call_id=name)
        said = f"apply_patch verification failed: {error}" if error else "Success."
        self.output(name, said, "custom_tool_call")

    def save(self, home: Path) -> Path:
        """Puts the log where the agent would."""
        return self.write(home)


class GrokStory(GrokLog):
    """A story in a session's folder of Grok."""

    def ask(self, text: str = "fix the failing parser test") -> None:
        """A person asks or says something; the turn before ends with it."""
        if self.prompts:
            self.end_turn()
        self.prompt(text)

    def say(self, text: str) -> None:
        """The agent says something."""
        self.reply(text)

    def run(self, command: str, output: str = "ok", code: int = 0, takes: int = 0) -> None:
        """The agent runs a command, which takes so many seconds."""
        call = self.call("run_terminal_command", given={"command": command})
        self.second += takes
        outcome = "error" if code else "success"
        self.result(call, output, outcome=outcome, exit_code=code)

    def edit(self, file: str = "/work/app/parser.py", error: str = "") -> None:
        """The agent edits a file, or fails to."""
        given = {"file_path": file, "old_string": "a", "new_string": str(self.second)}
        call = self.call("search_replace", given=given)
        outcome = "error" if error else "success"
        self.result(call, error or "done", outcome=outcome, exit_code=None)

    def save(self, home: Path) -> Path:
        """Puts the log where the agent would."""
        return self.write(home)


def story(flavor: str = "claude", number: int = 1, repo: str = "app", start: int = 0) -> Story:
    """A new session of an agent, in a repository of that name."""
    cwd = f"/work/{repo}"
    if flavor == "claude":
        name = f"{number:08d}-1111-4111-8111-111111111111"
        return ClaudeStory(session=name, cwd=cwd, start=start)
    if flavor == "codex":
        return CodexStory(f"0199{number:04d}-0000-7000-8000-000000000001", cwd, start)
    return GrokStory(f"01a1{number:04d}-0000-7000-8000-00000000{number:04d}", cwd, start)


def work(log: Story, commands: int = 6) -> None:
    """Ordinary work: enough of it for a session to count."""
    log.ask()
    for number in range(commands):
        log.run(f"ls src/part{number}", f"part{number}.py")
