"""Turn the entries of a Pi session into events.

Entries form a tree: a person who goes back and asks again adds a branch behind what there is. All
of it happened and was paid for, so all of it counts, in the order in which it was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from helix_tui.capture.adapters.fields import tokens_of
from helix_tui.capture.adapters.lines import IMAGE, LineReader, json_of, raw_text, take_lines
from helix_tui.capture.adapters.pi.records import Content, Entry, Message, Usage, decode_entry
from helix_tui.capture.draft import SessionDraft, UnitDraft, put_link, put_title
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
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import without_nul

TICKS_PER_USD = 10**10
_EXITED = re.compile(r"Command exited with code (-?\d{1,10})\s*$")
_ENDS: dict[str, Fault] = {"error": "api_error", "aborted": "interruption"}
_LAST_LINES = 200
# What is told elsewhere, or says nothing of the work.
_LEFT_OUT = frozenset(("thinking_level_change", "label"))


class PiState(msgspec.Struct, array_like=True):
    """What the next reader of this session needs to know."""

    native_id: str = ""
    cwd: str = ""
    # Entries of a fork that are older than it are its parent's.
    born_ts: int | None = None
    forked_from: str = ""


class PiReader(LineReader):
    """Read one session."""

    def __init__(self, stem: str, state: bytes) -> None:
        self._stem = stem
        self._memory = msgspec.msgpack.decode(state, type=PiState) if state else PiState()

    def state(self) -> bytes:
        """The memory that the next reader of this session needs."""
        return msgspec.msgpack.encode(self._memory)

    def restart(self, part: str) -> None:
        """Forget everything: the session is read again, as when Pi has rewritten it."""
        self._memory = PiState()

    def project(self) -> str:
        """The folder that the session worked in, once it is known."""
        return self._memory.cwd

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines; an unreadable one costs nothing but itself."""

        def take(entry: Entry, line: bytes, position: int) -> None:
            self._take(entry, line, position, draft)

        take_lines(lines, offset, draft, decode_entry, Entry, take)

    def _take(self, entry: Entry, line: bytes, position: int, draft: UnitDraft) -> None:
        memory = self._memory
        ts = parse_iso(entry.timestamp) if entry.timestamp else None
        is_head = entry.type == "session"
        if not memory.native_id:
            self._begin(entry, ts, is_first=is_head and position == 0)
        session = draft.session(memory.native_id)
        if memory.born_ts is not None and ts is not None and ts < memory.born_ts:
            # The parent's, and told there. What it took counts once, also where that file is gone.
            Adder(session, ts, entry.timestamp or "", position).copied(entry)
            return
        if ts is not None:
            session.saw_time(ts)
        if is_head:
            if entry.cwd:
                memory.cwd = memory.cwd or without_nul(entry.cwd)
                session.saw_cwd(ts or 0, without_nul(entry.cwd))
            if memory.forked_from:
                put_link(session, f"{draft.flavor}:{memory.forked_from}")
            return
        Adder(session, ts, entry.timestamp or "", position).entry(entry, line)

    def _begin(self, entry: Entry, ts: int | None, is_first: bool) -> None:
        """Name the session by its head, else by its file."""
        memory = self._memory
        memory.native_id = without_nul(self._stem.rpartition("_")[2])
        if not is_first:
            return
        if entry.id:
            memory.native_id = without_nul(entry.id)
        if entry.parent_session:
            name = entry.parent_session.replace("\\", "/").rpartition("/")[2]
            memory.forked_from = without_nul(name.removesuffix(".jsonl").rpartition("_")[2])
            memory.born_ts = ts


class Adder:
    """Add the content of one entry, identified by when it was written: ids came with version 2."""

    __slots__ = ("_name", "_position", "_session", "_ts")

    def __init__(self, session: SessionDraft, ts: int | None, name: str, position: int) -> None:
        self._session = session
        self._ts = ts
        self._name = name
        self._position = position

    def _put(
        self,
        kind: int,
        text: str,
        role: str | None = None,
        *,
        index: int = 0,
        tool: str | None = None,
        call_id: str | None = None,
        is_error: bool = False,
        exit_code: int | None = None,
        fault: Fault | None = None,
    ) -> None:
        self._session.put(
            self._position + min(index, 1023),
            self._ts,
            kind,
            text,
            name=self._name,
            role=role,
            tool=tool,
            call_id=call_id,
            is_error=is_error,
            exit_code=exit_code,
            fault=fault,
        )

    def entry(self, entry: Entry, line: bytes) -> None:
        """An entry of any type."""
        message, kind = entry.message, entry.type
        if kind == "message" and message is not None:
            self._message(message, line)
        elif kind == "compaction":
            self._put(COMPACTION, entry.summary or "")
            self._spent(entry.usage, None, None)
        elif kind == "session_info":
            if entry.name:
                put_title(self._session, entry.name, is_given=True)
        elif kind == "model_change":
            self._model(entry.model_id)
        elif kind == "custom_message":
            text = entry.content
            self._put(SYSTEM, text if isinstance(text, str) else json_of(line), "user")
        elif kind == "branch_summary":
            self._put(SYSTEM, entry.summary or "", "user")
        elif kind not in _LEFT_OUT:
            self._put(OTHER, json_of(line))

    def copied(self, entry: Entry) -> None:
        """What an answer took that another session has as well: they agree on its name."""
        message = entry.message
        if message is not None and message.role == "assistant" and message.response_id:
            model = without_nul(message.model) if message.model else None
            self._spent(message.usage, message.response_id, model)

    def _model(self, model: str | None) -> str | None:
        if not model:
            return None
        model = without_nul(model)
        self._session.saw_model(self._ts or 0, model)
        return model

    def _message(self, message: Message, line: bytes) -> None:
        role = message.role
        if role == "assistant":
            self._answer(message)
        elif role == "toolResult":
            self._result(message)
        elif role == "user":
            text = _text(message.content)
            if text.strip():
                self._put(PROMPT, text, "user")
        elif role == "bashExecution":
            self._put(SYSTEM, f"! {message.command or ''}\n{message.output or ''}", "user")
        elif role in ("branchSummary", "compactionSummary"):
            self._put(SYSTEM, message.summary or "", "user")
        else:
            text = _text(message.content)
            self._put(SYSTEM, text or json_of(line), role or None)

    def _answer(self, message: Message) -> None:
        model = self._model(message.model)
        content = message.content
        if isinstance(content, str):
            self._put(REPLY, content, "assistant")
        for index, piece in enumerate(content if isinstance(content, list) else ()):
            if piece.type == "text" and piece.text:
                self._put(REPLY, piece.text, "assistant", index=index)
            elif piece.type == "thinking":
                self._put(THINKING, piece.thinking or "", "assistant", index=index)
            elif piece.type == "toolCall":
                self._put(
                    TOOL_CALL,
                    raw_text(piece.arguments),
                    "assistant",
                    index=index,
                    tool=without_nul(piece.name or ""),
                    call_id=piece.id,
                )
        fault = _ENDS.get(message.stop_reason or "")
        if fault is not None:
            text = message.error_message or f"stopped: {message.stop_reason}"
            self._put(SYSTEM, text, "assistant", index=1023, fault=fault)
        self._spent(message.usage, message.response_id, model)

    def _result(self, message: Message) -> None:
        text = _text(message.content)
        is_error = message.is_error is True
        is_shell = is_error and message.tool_name == "bash"
        exited = _EXITED.search(text[-_LAST_LINES:]) if is_shell else None
        exit_code = int(exited[1]) if exited else None
        if exited:
            text = text[: -len(exited[0])].rstrip("\n")  # Pi's own last line
        self._put(
            TOOL_RESULT,
            text,
            "tool",
            call_id=message.tool_call_id,
            is_error=is_error if exit_code is None else exit_code != 0,
            exit_code=exit_code,
        )

    def _spent(self, usage: Usage | None, response: str | None, model: str | None) -> None:
        if usage is None:
            return
        cost = usage.cost.total if usage.cost else None
        written = tokens_of(usage.cache_write)
        claim = UsageClaim(
            without_nul(response or f"{self._session.native_id}:{self._name}"),
            self._ts,
            model,
            tokens_of(usage.input),
            tokens_of(usage.output),
            tokens_of(usage.cache_read),
            written,
            tokens_of(usage.reasoning),
            cost_ticks=_ticks(cost),
            cache_write_1h=min(tokens_of(usage.cache_write_1h), written),
        )
        if any(claim.tokens()):
            self._session.claim(claim)


def _ticks(usd: float | None) -> int | None:
    """A recorded cost; one of zero says that Pi knows no price."""
    return round(usd * TICKS_PER_USD) if usd is not None and 0 < usd < 1_000_000 else None


def _text(content: Content) -> str:
    """The text of a content, with a placeholder for each picture."""
    if content is None or isinstance(content, str):
        return content or ""
    pieces = [IMAGE if piece.type == "image" else piece.text or "" for piece in content]
    return "\n".join(filter(None, pieces))
