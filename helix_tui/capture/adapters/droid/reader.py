"""Turn the records of a Droid session into events, and the document beside them into its usage."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from helix_tui.capture.adapters.droid.records import (
    Block,
    Message,
    Record,
    Settings,
    decode_record,
)
from helix_tui.capture.adapters.fields import tokens_of
from helix_tui.capture.adapters.lenient import read_alone
from helix_tui.capture.adapters.lines import (
    IMAGE,
    SLOTS_PER_LINE,
    TOO_DEEP,
    json_of,
    raw_text,
    said_in,
    take_lines,
)
from helix_tui.capture.draft import SessionDraft, UnitDraft, put_title
from helix_tui.capture.salvage import salvage
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
from helix_tui.text.asked import spoken
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import without_nul

# A model of one's own: `custom:GLM-5.1-[Proxy]-0` is the GLM-5.1 of a proxy, its first.
_CUSTOM = re.compile(r"custom:(?P<name>.{1,200}?)(?:-\[[^\]]{0,100}\])?(?:-\d{1,3})?$")
# How the tool for commands ends or begins what it gives back, where no field has the code.
_EXITED = re.compile(r"\s{0,8}\[Process exited with code (-?\d{1,10})\]\s{0,8}$")
_FAILED = re.compile(r"(?:Error: )?Command failed \(exit code:? (-?\d{1,10})\):?\s{0,8}")
_LAST = 200
_UNNAMED = "New Session"
_NOTICE = "user_only"


class DroidState(msgspec.Struct, array_like=True):
    """What the next reader of this session needs to know."""

    native_id: str = ""
    parent: str | None = None
    cwd: str = ""
    first_ts: int | None = None
    # The last sums of the document, for when the log tells their time.
    model: str = ""
    sums: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)


class DroidReader:
    """Read one session: its log and the document beside it."""

    def __init__(self, stem: str, state: bytes) -> None:
        self._stem = stem
        self._memory = msgspec.msgpack.decode(state, type=DroidState) if state else DroidState()

    def state(self) -> bytes:
        """The memory that the next reader of this session needs."""
        return msgspec.msgpack.encode(self._memory)

    def restart(self, part: str) -> None:
        """Whose log it is stays known: the document may be read again without it."""

    def project(self) -> str:
        """The folder that the session worked in, once it is known."""
        return self._memory.cwd

    def _session(self, draft: UnitDraft) -> SessionDraft:
        memory = self._memory
        parent = f"{draft.flavor}:{memory.parent}" if memory.parent else None
        return draft.session(memory.native_id or without_nul(self._stem), parent)

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """The sums of the session so far, and the model that it had last."""
        settings = _settings_of(content, draft)
        if settings is None:
            return
        memory, usage = self._memory, settings.token_usage
        memory.model = model_of(settings.model or "")
        if usage is not None:
            memory.sums = (
                tokens_of(usage.input_tokens),
                tokens_of(usage.output_tokens),
                tokens_of(usage.cache_read_tokens),
                tokens_of(usage.cache_creation_tokens),
                tokens_of(usage.thinking_tokens),
            )
        self._claim(draft)

    def end(self, part: str, draft: UnitDraft) -> None:
        """Date the sums, which the document tells without a time, by the log's beginning."""
        self._claim(draft)

    def _claim(self, draft: UnitDraft) -> None:
        """One key for all of the session: sums that grow raise it, and a copy adds nothing."""
        memory, session = self._memory, self._session(draft)
        if memory.model and memory.first_ts is not None:
            session.saw_model(memory.first_ts, memory.model)
        if any(memory.sums):
            key = f"{session.native_id}:sum"
            session.claim(UsageClaim(key, memory.first_ts, memory.model or None, *memory.sums))

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines; an unreadable one costs nothing but itself."""

        def take(record: Record, line: bytes, position: int) -> None:
            self._take(record, line, position, draft)

        take_lines(lines, offset, draft, decode_record, Record, take)

    def _take(self, record: Record, line: bytes, position: int, draft: UnitDraft) -> None:
        memory = self._memory
        ts = parse_iso(record.timestamp) if record.timestamp else None
        if record.type == "session_start":
            if record.id and not memory.native_id:
                memory.native_id = without_nul(record.id)
                memory.parent = without_nul(record.parent) if record.parent else None
            memory.cwd = memory.cwd or without_nul(record.cwd or "")
        elif not memory.native_id:
            memory.native_id = without_nul(self._stem)
        if ts is not None and (memory.first_ts is None or ts < memory.first_ts):
            memory.first_ts = ts
        session = self._session(draft)
        if ts is not None:
            session.saw_time(ts)
        if record.type == "session_start":
            if memory.cwd:
                session.saw_cwd(ts or 0, memory.cwd)
            _put_titles(session, record)
            return
        _Adder(session, ts, record.id, position).record(record, line)


class _Adder:
    """Add the content of one record."""

    __slots__ = ("_name", "_position", "_session", "_ts")

    def __init__(
        self, session: SessionDraft, ts: int | None, name: str | None, position: int
    ) -> None:
        self._session = session
        self._ts = ts
        self._name = name
        self._position = position

    def record(self, record: Record, line: bytes) -> None:
        """A record of any type."""
        message = record.message
        if record.type == "message" and message is not None:
            self._message(message)
        elif record.type is not None and record.type.startswith("compaction"):
            self._text(COMPACTION, record.summary_text or record.summary or "", None)
        else:
            self._text(OTHER, json_of(line), None)

    def _text(self, kind: int, text: str, role: str | None, index: int = 0) -> None:
        at = self._position + min(index, SLOTS_PER_LINE - 1)
        name = None if self._name is None else f"{self._name}:{index}"
        self._session.put(at, self._ts, kind, text, name=name, role=role)

    def _message(self, message: Message) -> None:
        content = message.content
        blocks = [Block("text", content)] if isinstance(content, str) else content or []
        if message.model:
            self._session.saw_model(self._ts or 0, model_of(message.model))
        if message.role == "user":
            self._asked(message, blocks)
        for index, block in enumerate(blocks):
            self._block(message.role, block, index)

    def _asked(self, message: Message, blocks: list[Block]) -> None:
        """What a person says beside the client's reminders, which may share a block with it."""
        said: list[str] = []
        is_answer = any(block.type == "tool_result" for block in blocks)
        for index, block in enumerate(blocks):
            if block.type == "image":
                said.append(IMAGE)
            elif block.type == "text" and block.text:
                words = "" if message.visibility == _NOTICE or is_answer else spoken(block.text)
                if words:
                    said.append(words)
                else:
                    self._text(SYSTEM, block.text, "user", index)
        if said and not is_answer and message.visibility != _NOTICE:
            self._text(PROMPT, "\n\n".join(said), "user")

    def _block(self, role: str, block: Block, index: int) -> None:
        at = self._position + min(index, SLOTS_PER_LINE - 1)
        if block.type == "tool_use":
            self._session.put(
                at,
                self._ts,
                TOOL_CALL,
                raw_text(block.input),
                role="assistant",
                tool=without_nul(block.name or ""),
                call_id=block.id,
            )
        elif block.type == "tool_result":
            text, code = _ending(_result_text(block), block.exit_code)
            self._session.put(
                at,
                self._ts,
                TOOL_RESULT,
                text,
                role="tool",
                call_id=block.tool_use_id,
                is_error=block.is_error is True if code is None else code != 0,
                exit_code=code,
            )
        elif role == "assistant" and block.type == "text" and block.text:
            self._text(REPLY, block.text, role, index)
        elif role == "assistant" and block.type == "thinking":
            self._text(THINKING, block.thinking or "", role, index)


def model_of(name: str) -> str:
    """A model by its own name, without what Droid puts around one that a person added."""
    custom = _CUSTOM.match(name)
    return without_nul(custom["name"] if custom else name)


def _put_titles(session: SessionDraft, head: Record) -> None:
    title = head.session_title if head.session_title not in (None, "", _UNNAMED) else head.title
    if title:
        put_title(session, title, is_given=False)


def _ending(text: str, code: int | None) -> tuple[str, int | None]:
    """What a command printed, and how it ended: by a field, else by the tool's own line."""
    if last := _EXITED.search(text, max(0, len(text) - _LAST)):
        return text[: last.start()], code if code is not None else int(last[1])
    if first := _FAILED.match(text):
        return text[first.end() :], code if code is not None else int(first[1])
    return text, code


def _result_text(block: Block) -> str:
    content = block.content
    if not isinstance(content, list):
        return said_in(content) if content is not None else ""
    pieces = []
    for piece in content:
        kind = piece.get("type") if isinstance(piece, dict) else ""
        text = piece.get("text") if isinstance(piece, dict) else piece
        pieces.append(IMAGE if kind == "image" else said_in(text) if text else "")
    return "\n".join(filter(None, pieces))


def _settings_of(content: bytes, draft: UnitDraft) -> Settings | None:
    try:
        return msgspec.json.decode(content, type=Settings)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        objects, reason = salvage(content.replace(b"\n", b" "))
    try:
        settings = read_alone(objects[0], Settings) if objects else None
    except RecursionError:
        settings, reason = None, TOO_DEEP
    if reason:
        draft.problem(0, reason)
    return settings
