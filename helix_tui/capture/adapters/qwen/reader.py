"""Turn the rows of a Qwen Code session into events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from helix_tui.capture.adapters.fields import compact_json, tokens_of
from helix_tui.capture.adapters.gemini.parts import (
    Part,
    exit_code_of,
    fault_of,
    output_of,
    printed,
    words_of,
)
from helix_tui.capture.adapters.lines import (
    SLOTS_PER_LINE,
    LineReader,
    json_of,
    raw_text,
    take_lines,
)
from helix_tui.capture.draft import SessionDraft, UnitDraft, put_title
from helix_tui.schema import (
    COMPACTION,
    OTHER,
    PROMPT,
    REPLY,
    SYSTEM,
    THINKING,
    TOOL_CALL,
    TOOL_RESULT,
    UsageClaim,
)
from helix_tui.text.asked import is_prompt
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import without_nul

_BY_A_PERSON = (None, "real_user")
_FAILED = ("error", "cancelled")
# What stands elsewhere: the usage of the row before, the parent's history, counts of lines.
_LEFT_OUT = frozenset(("agent_bootstrap", "attribution_snapshot", "session_source"))
_SAID = frozenset(("slash_command", "at_command", "notification"))


class Message(msgspec.Struct, gc=False):
    """What was said, in parts."""

    parts: list[Part] | None = None


class TokenCounts(msgspec.Struct, gc=False, rename="camel"):
    """Tokens of one request: the prompt with what was cached, candidates without thoughts."""

    prompt_token_count: int | None = 0
    candidates_token_count: int | None = 0
    thoughts_token_count: int | None = 0
    cached_content_token_count: int | None = 0


class CallResult(msgspec.Struct, gc=False, rename="camel"):
    """How the client says that a call ended."""

    call_id: str | None = None
    status: str | None = None


class Row(msgspec.Struct, gc=False, rename="camel"):
    """One line."""

    uuid: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    type: str | None = None
    subtype: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    model: str | None = None
    provenance: str | None = None
    message: Message | None = None
    usage_metadata: TokenCounts | None = None
    tool_call_result: CallResult | None = None
    system_payload: dict[str, Any] | None = None


_decode = msgspec.json.Decoder(Row).decode


class QwenState(msgspec.Struct, array_like=True):
    """What the next reader of this session needs to know."""

    cwd: str = ""


class QwenReader(LineReader):
    """Read one session."""

    def __init__(self, state: bytes) -> None:
        self._memory = msgspec.msgpack.decode(state, type=QwenState) if state else QwenState()

    def state(self) -> bytes:
        """The memory that the next reader of this session needs."""
        return msgspec.msgpack.encode(self._memory)

    def project(self) -> str:
        """The folder that the session worked in, once it is known."""
        return self._memory.cwd

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines; an unreadable one costs nothing but itself."""

        def take(row: Row, line: bytes, position: int) -> None:
            if row.session_id:
                self._take(row, line, position, draft)

        take_lines(lines, offset, draft, _decode, Row, take)

    def _take(self, row: Row, line: bytes, position: int, draft: UnitDraft) -> None:
        session = draft.session(without_nul(row.session_id or ""))
        ts = parse_iso(row.timestamp) if row.timestamp else None
        if ts is not None:
            session.saw_time(ts)
        if row.cwd:
            self._memory.cwd = self._memory.cwd or without_nul(row.cwd)
            session.saw_cwd(ts or 0, without_nul(row.cwd))
        if row.git_branch:
            session.saw_branch(ts or 0, without_nul(row.git_branch))
        if row.version:
            session.saw_agent_version(ts or 0, without_nul(row.version))
        adder = _Adder(session, ts, row, position)
        parts = row.message.parts or [] if row.message else []
        if row.type == "assistant":
            adder.answer(parts)
        elif row.type == "user":
            adder.asked(parts)
        elif row.type == "tool_result":
            adder.results(parts)
        elif row.type == "system":
            adder.told(line, draft.flavor)
        else:
            adder.put(OTHER, json_of(line), None)


class _Adder:
    """Add the content of one row."""

    __slots__ = ("_position", "_row", "_session", "_ts")

    def __init__(self, session: SessionDraft, ts: int | None, row: Row, position: int) -> None:
        self._session = session
        self._ts = ts
        self._row = row
        self._position = position

    def put(self, kind: int, text: str, role: str | None, index: int = 0, **fields: Any) -> None:
        """Add an event, known by its row and its place there."""
        own = self._row.uuid
        self._session.put(
            self._position + min(index, SLOTS_PER_LINE - 1),
            self._ts,
            kind,
            text,
            name=None if own is None else f"{own}:{index}",
            role=role,
            **fields,
        )

    def asked(self, parts: list[Part]) -> None:
        """What a person asked; the client speaks as the user, too."""
        row, text = self._row, words_of(parts)
        is_answer = any(part.function_response for part in parts)
        is_own = row.provenance in _BY_A_PERSON and not row.subtype and not is_answer
        if text.strip():
            self.put(PROMPT if is_own and is_prompt(text) else SYSTEM, text, "user")

    def answer(self, parts: list[Part]) -> None:
        """What the model said, thought and called, and what that took."""
        for index, part in enumerate(parts):
            call = part.function_call
            if call is not None:
                tool = without_nul(call.name or "")
                text = raw_text(call.args)
                self.put(TOOL_CALL, text, "assistant", index, tool=tool, call_id=call.id)
            elif part.text:
                self.put(THINKING if part.thought else REPLY, part.text, "assistant", index)
        row = self._row
        if row.model:
            self._session.saw_model(self._ts or 0, without_nul(row.model))
        counts = row.usage_metadata
        if counts is None:
            return
        cached, thoughts = (
            tokens_of(counts.cached_content_token_count),
            tokens_of(counts.thoughts_token_count),
        )
        claim = UsageClaim(
            f"{self._session.native_id}:{without_nul(row.uuid or str(self._ts))}",
            self._ts,
            row.model and without_nul(row.model),
            max(tokens_of(counts.prompt_token_count) - cached, 0),
            tokens_of(counts.candidates_token_count) + thoughts,
            cached,
            reasoning=thoughts,
        )
        if any(claim.tokens()):
            self._session.claim(claim)

    def results(self, parts: list[Part]) -> None:
        """What calls came to: the exit code counts first, then what the client says."""
        told = self._row.tool_call_result or CallResult()
        for index, part in enumerate(parts):
            answer = part.function_response
            if answer is None:
                continue
            text = output_of(answer)
            code = exit_code_of(answer.name, text)
            has_error = isinstance(answer.response, dict) and "error" in answer.response
            failed = told.status in _FAILED or (told.status is None and has_error)
            self.put(
                TOOL_RESULT,
                printed(answer.name, text),
                "tool",
                index,
                call_id=answer.id or told.call_id,
                is_error=failed if code is None else code != 0,
                exit_code=code,
                fault=fault_of(told.status, text),
            )

    def told(self, line: bytes, flavor: str) -> None:
        """What the client wrote down of itself."""
        row = self._row
        payload, subtype = row.system_payload or {}, row.subtype
        if subtype == "parent_session":
            parent = payload.get("parentSessionId")
            if isinstance(parent, str) and parent:
                self._session.parent = f"{flavor}:{without_nul(parent)}"
        elif subtype == "custom_title":
            title = payload.get("customTitle") or payload.get("title")
            if isinstance(title, str) and title:
                put_title(self._session, title, is_given=True)
        elif subtype == "chat_compression":
            self.put(COMPACTION, compact_json(payload.get("info") or {}), None)
        elif subtype == "ui_telemetry":
            event = payload.get("uiEvent")
            name = event.get("event.name") if isinstance(event, dict) else None
            if isinstance(name, str) and name.endswith("api_error"):
                self.put(SYSTEM, compact_json(event), None, fault="api_error")
        elif subtype in _SAID:
            self.put(SYSTEM, compact_json(payload), "user")
        elif subtype not in _LEFT_OUT:
            self.put(OTHER, json_of(line), None)
