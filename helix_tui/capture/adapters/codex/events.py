"""Turn a Codex record into events, usage and facts of its session."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from helix_tui.capture.adapters.codex.outputs import IMAGE, read_output
from helix_tui.capture.adapters.codex.records import CodexRecord, Content, Payload
from helix_tui.capture.adapters.codex.replay import Replay
from helix_tui.capture.adapters.codex.tokens import Meter
from helix_tui.capture.adapters.fields import compact_json
from helix_tui.capture.adapters.lenient import any_json
from helix_tui.capture.draft import SessionDraft
from helix_tui.capture.instructions import codex_cut, codex_message
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
)
from helix_tui.text.asked import is_prompt, spoken
from helix_tui.text.hashing import hash64
from helix_tui.text.valid import without_nul

_CWD = re.compile(r"(?:<cwd>|Current working directory: )([^<\n]{1,4096})")
_TAG = re.compile(r"<[a-z][a-z_:-]{1,60}[\s>]")
_IDE_PROMPT = "## My request for Codex:"
_CALLS = frozenset(
    (
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "web_search_call",
        "tool_search_call",
        "image_generation_call",
    )
)
_OUTPUTS = frozenset(
    (
        "function_call_output",
        "custom_tool_call_output",
        "local_shell_call_output",
        "tool_search_output",
        "mcp_tool_call_output",
    )
)
# Events whose content is in the response items as well.
COPIES = frozenset(
    (
        "agent_message",
        "agent_reasoning",
        "agent_reasoning_raw_content",
        "agent_reasoning_section_break",
        "context_compacted",
        "task_started",
        "task_complete",
        "turn_started",
        "turn_complete",
        "exec_command_begin",
        "mcp_tool_call_begin",
        "patch_apply_begin",
        "web_search_begin",
        "web_search_end",
        "raw_response_item",
        "item_started",
    )
)
# How a call ended; these come before its output.
_ENDINGS = frozenset(("exec_command_end", "patch_apply_end", "mcp_tool_call_end"))
_MOST_ENDINGS = 64


class CodexState(msgspec.Struct, array_like=True):
    """What the next reader of this rollout needs to know."""

    native_id: str = ""
    parent: str | None = None
    began_ts: int | None = None
    project: str = ""
    model: str | None = None
    meter: Meter = msgspec.field(default_factory=Meter)
    replay: Replay | None = None
    # Records of the old form have neither id nor time: how often each came before.
    repeats: dict[int, int] = {}
    # Exit codes of calls whose output has not come yet, -1 for a failure without one.
    endings: dict[str, int] = {}
    forked_from: str = ""


class Adder:
    """Add the content of one record."""

    __slots__ = ("_memory", "_position", "_session", "_ts")

    def __init__(
        self, memory: CodexState, session: SessionDraft, ts: int | None, position: int
    ) -> None:
        self._memory = memory
        self._session = session
        self._ts = ts
        self._position = position

    def _add(
        self,
        kind: int,
        role: str | None,
        text: str,
        *,
        is_error: bool = False,
        tool: str | None = None,
        call_id: str | None = None,
        exit_code: int | None = None,
        fault: Fault | None = None,
    ) -> None:
        if call_id:
            identity = hash64(f"{call_id}:{kind}".encode("utf-8", "replace"))
        else:
            identity = hash64(f"{kind}:{self._ts}:{text}".encode("utf-8", "replace"))
            if self._ts is None and kind != OTHER:
                repeats = self._memory.repeats
                nth = repeats[identity] = repeats.get(identity, 0) + 1
                identity = hash64(f"{identity}:{nth}".encode())
        self._session.add(
            (
                identity,
                self._position,
                self._ts,
                kind,
                is_error,
                role,
                tool,
                call_id,
                exit_code,
                None,
                without_nul(text),
                fault,
            )
        )

    def record(self, record: CodexRecord, line: bytes) -> None:
        """A line of either form."""
        payload = record.payload
        kind = record.type
        if payload is None:
            if kind is not None:
                self._item(record, line, is_old=True)
            elif record.id:
                self._meta(record)
        elif kind == "response_item":
            self._item(payload, line, is_old=False)
        elif kind == "event_msg":
            self._event(payload, line)
        elif kind == "turn_context":
            self._turn(payload)
        elif kind == "session_meta":
            if payload.id == self._memory.native_id:
                self._meta(payload)
        elif kind == "compacted":
            # Its `replacement_history` repeats what was said before.
            self._add(COMPACTION, None, payload.message or "")
        else:
            if kind == "world_state":
                self._world(payload)
            self._rest(OTHER, line)

    def _given(self, source: str, text: object) -> None:
        """What a record says that the agent was told."""
        if text is None:
            self._session.saw_instructions(source, self._ts, None)
        elif isinstance(text, str):
            self._session.saw_instructions(source, self._ts, text, codex_cut(text))

    def _world(self, world: Payload) -> None:
        """The state of the world, of which a patch has only what changed."""
        told = (world.state or {}).get("agents_md", msgspec.UNSET)
        self._given("world_state", told.get("text") if isinstance(told, dict) else told)

    def _meta(self, meta: Payload) -> None:
        self._given("session_meta", meta.instructions)
        if meta.cwd:
            self._cwd(meta.cwd)
        if meta.cli_version:
            self._session.saw_agent_version(self._ts or 0, without_nul(meta.cli_version))
        if meta.git and meta.git.branch:
            self._session.saw_branch(self._ts or 0, without_nul(meta.git.branch))
        if meta.git and meta.git.repository_url:
            self._session.remote = without_nul(meta.git.repository_url)

    def _cwd(self, folder: str) -> None:
        folder = without_nul(folder)
        if not self._memory.project:
            self._memory.project = folder
        ts = self._ts if self._ts is not None else self._memory.began_ts
        self._session.saw_cwd(ts if ts is not None else 0, folder)

    def _turn(self, turn: Payload) -> None:
        self._given("turn_context", turn.user_instructions)
        if turn.cwd:
            self._cwd(turn.cwd)
        if turn.model:
            self._memory.model = without_nul(turn.model)
            if self._ts is not None:
                self._session.saw_model(self._ts, self._memory.model)

    def _item(self, item: Payload, line: bytes, *, is_old: bool) -> None:
        """An item of the model's conversation: what it was told, said or did."""
        kind = item.type or ""
        if kind == "message":
            self._message(item, is_old)
        elif kind == "reasoning":
            texts = [_text(item.summary), _text(item.content)]
            self._add(THINKING, "assistant", "\n\n".join(filter(None, texts)))
        elif kind in _CALLS:
            self._call(kind, item)
        elif kind in _OUTPUTS:
            self._output(item)
        else:
            self._rest(OTHER, line)

    def _message(self, item: Payload, is_old: bool) -> None:
        text = _text(item.content)
        if item.role == "assistant":
            self._add(REPLY, "assistant", text)
        elif item.role != "user" or _is_injected(text):
            self._add(SYSTEM, item.role, text)
            if (told := codex_message(text)) is not None:
                self._given("message", told)
            if is_old and (folder := _CWD.search(text)):
                self._cwd(folder[1].strip())
        elif is_old:
            self._prompt(text)
        # In the new form a prompt is an event message; this is the model's copy of it.

    def _prompt(self, text: str) -> None:
        _, marker, request = text.rpartition(_IDE_PROMPT)
        prompt = request.strip() if marker and request.strip() else text
        if prompt.strip():
            self._add(PROMPT if is_prompt(prompt) else SYSTEM, "user", prompt)

    def _call(self, kind: str, item: Payload) -> None:
        arguments = item.arguments if item.arguments is not None else item.input
        if arguments is None:
            arguments = item.action
        if arguments is None:
            arguments = ""
        name = item.name or kind.removesuffix("_call")
        if item.namespace:
            name = f"{item.namespace.rstrip('_')}__{name}"
        self._add(
            TOOL_CALL,
            "assistant",
            arguments if isinstance(arguments, str) else compact_json(arguments),
            tool=without_nul(name),
            call_id=item.call_id or item.id,
        )

    def _output(self, item: Payload) -> None:
        output = read_output(item.output)
        text, exit_code, is_error = output.text, output.exit_code, output.is_error
        if item.output is None and item.tools:
            text = compact_json(item.tools)
        ending = self._memory.endings.pop(item.call_id or "", None)
        if ending is not None and exit_code is None:
            exit_code = ending if ending >= 0 else None
            is_error = is_error or ending != 0
        self._add(
            TOOL_RESULT,
            "tool",
            text,
            is_error=is_error,
            call_id=item.call_id,
            exit_code=exit_code,
        )

    def _event(self, event: Payload, line: bytes) -> None:
        """An event that the client recorded."""
        kind = event.type or ""
        if kind == "token_count":
            self._tokens(event)
        elif kind == "user_message":
            if event.kind in (None, "plain"):
                pictures = len(event.images or ()) + len(event.local_images or ())
                texts = [event.message or "", *[IMAGE] * pictures]
                self._prompt("\n\n".join(filter(None, texts)))
        elif kind in _ENDINGS:
            self._ending(event)
        elif kind == "item_completed":
            item = event.item
            if item and (item.type or "").replace("_", "").lower() == "usermessage":
                self._prompt(item.text or _text(item.content))
        else:
            self._rest(SYSTEM, line, _fault_of(event))

    def _ending(self, event: Payload) -> None:
        code = event.exit_code
        if code is None and (event.success is False or _has_failed(event.result)):
            code = -1
        endings = self._memory.endings
        if event.call_id and code is not None:
            if len(endings) >= _MOST_ENDINGS:
                del endings[next(iter(endings))]
            endings[event.call_id] = code

    def _tokens(self, event: Payload) -> None:
        totals = event.info.total_token_usage if event.info else None
        if totals is None:
            return
        memory = self._memory
        claim = memory.meter.advance(totals, memory.native_id, self._ts, memory.model)
        if claim is not None:
            self._session.claim(claim)

    def _rest(self, kind: int, line: bytes, fault: Fault | None = None) -> None:
        """Keep what has no place of its own as JSON, in full."""
        raw = any_json(line)
        payload = raw.get("payload", raw) if isinstance(raw, dict) else raw
        self._add(kind, None, compact_json(payload), fault=fault)


def _fault_of(event: Payload) -> Fault | None:
    """What went wrong with the turn, by an event message."""
    if event.type == "turn_aborted":
        return "interruption" if event.reason in (None, "interrupted") else None
    return "api_error" if event.type in ("error", "stream_error") else None


def _text(content: str | Content | None) -> str:
    """The text of a message's content, with a placeholder for each picture."""
    if content is None or isinstance(content, str):
        return content or ""
    pieces = [IMAGE if piece.type.endswith("image") else piece.text or "" for piece in content]
    return "\n".join(filter(None, pieces))


def _has_failed(result: str | dict[str, Any] | None) -> bool:
    """Whether an MCP server could not be reached, or said that its tool failed."""
    if not isinstance(result, dict):
        return False
    answer = result.get("Ok")
    is_error = isinstance(answer, dict) and True in (answer.get("isError"), answer.get("is_error"))
    return "Err" in result or is_error


def _is_injected(text: str) -> bool:
    """Whether Codex inserted this text as the user: a block of it, known or not."""
    stripped = text.strip()
    return not is_prompt(stripped) or (
        _TAG.match(stripped) is not None and spoken(stripped) == stripped
    )
