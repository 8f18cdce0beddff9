"""Codex's rollouts: what the model saw and did, and beside it what the client noted down."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from random import Random

from helix_tui.sample.session import Files, Json, Log, SampleSession, as_json, as_lines
from helix_tui.sample.steps import (
    ApiError,
    Ask,
    Compact,
    Delegate,
    Edit,
    Interrupt,
    Read,
    Run,
    Say,
    Step,
    Think,
    Together,
)

_VERSION = "0.142.2"
_WINDOW = 272_000


class CodexLog(Log):
    """A rollout that is being written."""

    def __init__(self, session: SampleSession, random: Random) -> None:
        super().__init__(session, random)
        self.native_id = self.timed_uuid()
        self._records: list[Json] = []
        self._turn = ""
        self._said = ""
        self._pending = ""
        self._totals = [0, 0, 0, 0]

    def files(self) -> Files:
        """The rollout."""
        began = datetime.fromtimestamp(self.now, UTC)
        self._begin()
        for step in self.session.steps:
            self._take(step)
        self._end_turn()
        name = f"rollout-{began:%Y-%m-%dT%H-%M-%S}-{self.native_id}.jsonl"
        return {Path(".codex", "sessions", f"{began:%Y/%m/%d}", name): as_lines(self._records)}

    def _begin(self) -> None:
        cwd = self.session.cwd
        remote = f"git@git.example.net:team/{Path(cwd).name}.git"
        commit = f"{self.random.getrandbits(160):040x}"
        self._put(
            "session_meta",
            id=self.native_id,
            timestamp=self.stamp(),
            cwd=cwd,
            originator="codex-tui",
            cli_version=self.session.version or _VERSION,
            source="cli",
            model_provider="openai",
            git={"commit_hash": commit, "branch": self.session.branch, "repository_url": remote},
        )
        context = f"<environment_context>\n  <cwd>{cwd}</cwd>\n  <shell>bash</shell>\n"
        self._message("user", f"{context}</environment_context>")
        if self.session.told:
            told = f"<INSTRUCTIONS>\n{self.session.told}\n</INSTRUCTIONS>"
            self._message("user", f"# AGENTS.md instructions for {cwd}\n\n{told}")

    def _take(self, step: Step) -> None:
        match step:
            case Ask(text):
                self._ask(text)
            case Say(text):
                self._speak(text)
            case Think(text):
                self.wait(1, 6)
                self._put("event_msg", type="agent_reasoning", text=text)
                summary = [{"type": "summary_text", "text": text}]
                secret = self.name("gAAAAA", 160)
                self._item("reasoning", summary=summary, content=None, encrypted_content=secret)
                self._pending += text
            case Run() | Read():
                self._run(step)
            case Edit():
                self._patch(step)
            case Together(runs):
                for run in runs:
                    self._run(run)
            case Interrupt():
                self.wait(2, 9)
                self._put(
                    "event_msg", type="turn_aborted", turn_id=self._turn, reason="interrupted"
                )
                self._turn = ""
            case Compact(summary):
                self.shrink()
                self._put("compacted", message=summary, replacement_history=[])
                self._put("event_msg", type="context_compacted")
            case ApiError(message):
                self.wait(5, 30)
                self._put("event_msg", type="error", message=message)
                self._turn = ""
            case Delegate(_, _, steps, answer):
                # Codex's own sub-agents are rare: it looks for itself.
                for inner in (*steps, Say(answer)):
                    self._take(inner)

    def _put(self, kind: str, /, **payload: object) -> None:
        self._records.append({"timestamp": self.stamp(), "type": kind, "payload": payload})

    def _item(self, kind: str, /, **fields: object) -> None:
        self._put("response_item", type=kind, **fields)

    def _message(self, role: str, text: str) -> None:
        kind = "output_text" if role == "assistant" else "input_text"
        self._item("message", role=role, content=[{"type": kind, "text": text}])

    def _ask(self, text: str) -> None:
        self._end_turn()
        self.wait(25, 400)
        self._turn = self.timed_uuid()
        self._put(
            "event_msg", type="task_started", turn_id=self._turn, model_context_window=_WINDOW
        )
        self._put(
            "turn_context",
            turn_id=self._turn,
            cwd=self.session.cwd,
            approval_policy="on-request",
            sandbox_policy={"type": "workspace-write", "network_access": False},
            model=self.session.model,
            effort="high",
            summary="auto",
        )
        self._message("user", text)
        self._put("event_msg", type="user_message", message=text, images=[])
        self.heard(text)

    def _speak(self, text: str) -> None:
        self.wait(1, 7)
        self._put("event_msg", type="agent_message", message=text)
        self._message("assistant", text)
        self._said = text
        self._pending += text

    def _run(self, step: Run | Read) -> None:
        if isinstance(step, Read):
            step = Run(f"sed -n '1,200p' {step.path}", step.text)
        call = self.name("call_", 24)
        arguments = as_json({"cmd": step.command, "workdir": self.session.cwd})
        self.wait(0.5, 6)
        self._item("function_call", name="exec_command", arguments=arguments, call_id=call)
        self._count(arguments)
        seconds = self.random.uniform(0.05, 1.5) + step.seconds
        self.now += seconds
        if step.fault == "refused":
            text = "exec command rejected by user"
        else:
            text = (
                f"Chunk ID: {self.random.getrandbits(24):06x}\nWall time: {seconds:.4f} seconds\n"
                f"Process exited with code {step.code}\n"
                f"Original token count: {len(step.output) // 4}\nOutput:\n{step.output}"
            )
        self.heard(text)
        self._item("function_call_output", call_id=call, output=text)

    def _patch(self, step: Edit) -> None:
        call, path = self.name("call_", 24), f"{self.session.cwd}/{step.path}"
        lines = [f"-{line}" for line in step.old.split("\n")]
        lines += [f"+{line}" for line in step.new.split("\n")]
        hunk = "\n".join(lines)
        patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n{hunk}\n*** End Patch\n"
        self.wait(0.5, 6)
        self._item(
            "custom_tool_call", status="completed", call_id=call, name="apply_patch", input=patch
        )
        self._count(patch)
        self.wait(0.05, 0.6)
        if step.fault:
            text = f"apply_patch verification failed: Failed to find expected lines in {path}:\n"
            text += step.old
        else:
            output = f"Success. Updated the following files:\nM {path}\n"
            text = f"Exit code: 0\nWall time: 0.1 seconds\nOutput:\n{output}"
        self.heard(text)
        self._item("custom_tool_call_output", call_id=call, output=text)

    def _count(self, output: str) -> None:
        """Note down the running totals, in which input includes what was cached."""
        cached, fresh, written = self.spend(self._pending + output)
        self._pending = ""
        last = [cached + fresh, cached, written, written // 3]
        self._totals = [total + count for total, count in zip(self._totals, last, strict=True)]
        info = {
            "total_token_usage": _counts(self._totals),
            "last_token_usage": _counts(last),
            "model_context_window": _WINDOW,
        }
        self._put("event_msg", type="token_count", info=info, rate_limits=None)

    def _end_turn(self) -> None:
        if self._turn:
            if self._pending:
                self._count("")
            self._put(
                "event_msg",
                type="task_complete",
                turn_id=self._turn,
                last_agent_message=self._said or None,
            )
        self._turn = ""


def _counts(tokens: list[int]) -> Json:
    sent, cached, written, reasoning = tokens
    return {
        "input_tokens": sent,
        "cached_input_tokens": cached,
        "output_tokens": written,
        "reasoning_output_tokens": reasoning,
        "total_tokens": sent + written,
    }
