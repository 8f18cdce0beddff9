"""Turn a Copilot event into events, usage and facts of its session."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from helix_tui.capture.adapters.copilot.records import Data, Event, Failure, Request
from helix_tui.capture.adapters.copilot.tokens import Runs, counts_of, model_of
from helix_tui.capture.adapters.fields import tokens_of
from helix_tui.capture.adapters.lines import SLOTS_PER_LINE, json_of, raw_text, said_in
from helix_tui.capture.draft import SessionDraft, put_title
from helix_tui.schema import (
    COMPACTION,
    OTHER,
    PROMPT,
    REPLY,
    SYSTEM,
    THINKING,
    TOOL_CALL,
    TOOL_RESULT,
    Fault,
    UsageClaim,
)
from helix_tui.text.asked import is_prompt
from helix_tui.text.valid import without_nul

# The line that a shell tool adds behind what a command printed.
_ENDED = re.compile(r"exit code (-?\d{1,10})\W*$")
_LAST_LINE = re.compile(r"\n?<[^<>\n]{0,120}exit code -?\d{1,10}>\s{0,8}$")
_SHELLS = ("bash", "powershell", "local_shell", "shell")
_LAST = 200
_MOST_SHELLS = 256
# What stands elsewhere, or says nothing of the work.
_LEFT_OUT = frozenset(
    (
        "assistant.turn_start",
        "assistant.turn_end",
        "session.start",
        "session.resume",
        "session.model_change",
        "session.compaction_start",
        "session.usage_checkpoint",
        "permission.requested",
        "permission.completed",
    )
)
_FAULTS: dict[str, Fault] = {"abort": "interruption", "session.error": "api_error"}
_BY_PARENT = "agent-"


class Adder:
    """Add the content of one event."""

    __slots__ = ("_event", "_position", "_runs", "_session", "_shells", "_ts")

    def __init__(
        self,
        runs: Runs,
        shells: set[str],
        session: SessionDraft,
        event: Event,
        ts: int | None,
        position: int,
    ) -> None:
        self._runs = runs
        self._shells = shells
        self._session = session
        self._event = event
        self._ts = ts
        self._position = position

    def _put(self, kind: int, text: str, role: str | None, slot: int = 0, **fields: Any) -> None:
        own = self._event.id
        self._session.put(
            self._position + min(slot, SLOTS_PER_LINE - 1),
            self._ts,
            kind,
            text,
            name=None if own is None else f"{own}:{slot}",
            role=role,
            **fields,
        )

    def take(self, line: bytes, model: str, *, is_agent: bool) -> None:
        """An event of any type; `model` is the one in use."""
        kind, data = self._event.type, self._event.data or Data()
        if kind == "assistant.message":
            self._answer(data, model)
        elif kind == "tool.execution_complete":
            self._ended(data)
        elif kind == "tool.execution_start":
            call = Request(data.tool_call_id, data.tool_name, data.arguments)
            self._call(call, 0)
        elif kind == "user.message":
            self._asked(data, is_agent)
        elif kind == "session.shutdown":
            for claim in self._runs.end(
                data.model_metrics or {}, self._session.native_id, self._ts
            ):
                self._session.claim(claim)
        elif kind == "session.compaction_complete":
            self._compacted(data, model)
        elif kind == "subagent.started":
            name = data.agent_display_name or data.agent_name
            if name and is_agent:
                put_title(self._session, name, is_given=False)
        elif kind == "assistant.reasoning":
            self._put(THINKING, data.content or "", "assistant")
        elif kind == "system.message":
            self._put(SYSTEM, data.content or "", "system")
        elif kind in _FAULTS:
            self._put(SYSTEM, json_of(line), None, fault=_FAULTS[kind])
        elif kind.startswith(("system.", "session.", "skill.")):
            if kind not in _LEFT_OUT:
                self._put(SYSTEM, json_of(line), None)
        elif kind not in _LEFT_OUT:
            self._put(OTHER, json_of(line), None)

    def _asked(self, data: Data, is_agent: bool) -> None:
        """What a person asked, or in a sub-agent its parent; skills and the client speak, too."""
        text = data.content or ""
        if not text.strip():
            return
        source = data.source
        is_own = source is None or (is_agent and source.startswith(_BY_PARENT))
        self._put(PROMPT if is_own and is_prompt(text) else SYSTEM, text, "user")

    def _answer(self, data: Data, model: str) -> None:
        own = model_of(data.model or model)
        if own:
            self._session.saw_model(self._ts or 0, own)
        if data.reasoning_text:
            self._put(THINKING, data.reasoning_text, "assistant")
        output = tokens_of(data.output_tokens)
        # Some models' answers are logged without their words.
        if data.content or (output and not data.tool_requests):
            self._put(REPLY, data.content or "", "assistant", 1)
        for slot, request in enumerate(data.tool_requests or (), 2):
            self._call(request, slot)
        if output:
            name = data.message_id or self._event.id or str(self._ts)
            self._runs.answered(name, output)
            key = f"{self._session.native_id}:{without_nul(name)}"
            self._session.claim(UsageClaim(key, self._ts, own or None, output=output))

    def _call(self, call: Request, slot: int) -> None:
        """A call, which stands with the answer that asks for it and again where it begins."""
        if not call.tool_call_id:
            return
        tool = without_nul(call.name or "")
        if tool.endswith(_SHELLS) and len(self._shells) < _MOST_SHELLS:
            self._shells.add(call.tool_call_id)
        text = _arguments(raw_text(call.arguments))
        self._put(TOOL_CALL, text, "assistant", slot, tool=tool, call_id=call.tool_call_id)

    def _ended(self, data: Data) -> None:
        """How a call ended: the exit code counts first, since a failed command is a success."""
        call = data.tool_call_id
        if not call:
            return
        content = data.result.content if data.result else None
        error = data.error
        if content is None and error is not None:
            content = error.message if isinstance(error, Failure) else error
        text = said_in(content) if content is not None else ""
        code = self._exit_code(data, text)
        if call in self._shells and (last := _LAST_LINE.search(text, max(0, len(text) - _LAST))):
            text = text[: last.start()]
        self._shells.discard(call)
        is_denied = isinstance(error, Failure) and error.code in ("denied", "rejected")
        self._put(
            TOOL_RESULT,
            text,
            "tool",
            call_id=call,
            is_error=data.success is False if code is None else code != 0,
            exit_code=code,
            fault="refusal" if is_denied else None,
        )

    def _exit_code(self, data: Data, text: str) -> int | None:
        metrics = data.tool_telemetry.metrics if data.tool_telemetry else None
        if metrics is not None and metrics.exit_code is not None:
            return metrics.exit_code
        for shell in (data.shell_execution, data.result.shell_execution if data.result else None):
            if shell is not None and shell.exit_code is not None:
                return shell.exit_code
        if data.tool_call_id not in self._shells:
            return None
        last = text[-_LAST:].rstrip().rpartition("\n")[2]
        ended = _ENDED.search(last)
        return int(ended[1]) if ended else None

    def _compacted(self, data: Data, model: str) -> None:
        """A summary takes the place of what was said; it was a request of its own."""
        if data.success is not True:
            self._put(SYSTEM, data.summary_content or "the compaction failed", None)
            return
        self._put(COMPACTION, data.summary_content or "", None)
        self._runs.begin()
        used = data.compaction_tokens_used
        fresh, output, read, written, reasoning = counts_of(used)
        own = model_of(used.model if used and used.model else model)
        key = f"{self._session.native_id}:compaction:{without_nul(self._event.id or str(self._ts))}"
        claim = UsageClaim(
            key,
            self._ts,
            own or None,
            max(fresh - read - written, 0),
            output,
            read,
            written,
            reasoning,
        )
        if any(claim.tokens()):
            self._session.claim(claim)


def _arguments(text: str) -> str:
    """A call's arguments; a tool that takes free text has it as a JSON string."""
    if not text.startswith('"'):
        return text
    try:
        return str(msgspec.json.decode(text.encode()))
    except msgspec.DecodeError:
        return text
