"""Turn a Gemini session, a document or lines, into events.

A line is a message whole, and stands there again each time it has changed: a call is taken when
it first appears and its result when it first has one, since Gemini later puts a shorter one in its
place. What was rewound had happened and was paid for: it stays, and so does the word of the rewind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from helix_tui.capture.adapters.fields import tokens_of
from helix_tui.capture.adapters.gemini.parts import (
    exit_code_of,
    fault_of,
    output_of,
    parts_of,
    printed,
    words_of,
)
from helix_tui.capture.adapters.gemini.project import Place
from helix_tui.capture.adapters.gemini.records import (
    Call,
    Document,
    Row,
    Tokens,
    decode_document,
    decode_row,
)
from helix_tui.capture.adapters.lenient import read_alone
from helix_tui.capture.adapters.lines import (
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
    Fault,
    UsageClaim,
)
from helix_tui.text.asked import is_prompt
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import without_nul

_FINAL = ("success", "error", "cancelled")
_CONTEXT = "<session_context>"
_SNAPSHOT = "<state_snapshot>"
_FOLDERS = re.compile(r"Workspace Directories:\*{0,2}\s{0,20}\n\s{0,20}- ([^\n]{1,4096})")
_LONGEST_CONTEXT = 20_000


class GeminiState(msgspec.Struct, array_like=True):
    """What the next reader of this session needs to know."""

    native_id: str = ""
    cwd: str = ""


class GeminiReader:
    """Read one file of a session."""

    def __init__(self, path: str, place: Place, state: bytes) -> None:
        self._stem = path.rpartition("/")[2].removesuffix(".jsonl").removesuffix(".json")
        self._place = place
        self._memory = msgspec.msgpack.decode(state, type=GeminiState) if state else GeminiState()

    def state(self) -> bytes:
        """The memory that the next reader of this session needs."""
        return msgspec.msgpack.encode(self._memory)

    def restart(self, part: str) -> None:
        """Forget everything: the session is read again."""
        self._memory = GeminiState()

    def project(self) -> str:
        """The folder that the session worked in, once it is known."""
        return self._place.cwd or self._memory.cwd

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """A session of old, whole."""
        document = _document_of(content, draft)
        if document is None:
            return
        self._begin(document.session_id)
        session = self._session(draft)
        self._head(session, document, 0)
        for index, row in enumerate(document.messages or ()):
            self._message(session, row, index * SLOTS_PER_LINE)

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines; an unreadable one costs nothing but itself."""

        def take(row: Row, line: bytes, position: int) -> None:
            self._take(row, line, position, draft)

        take_lines(lines, offset, draft, decode_row, Row, take)

    def _take(self, row: Row, line: bytes, position: int, draft: UnitDraft) -> None:
        is_head = row.type is None and row.session_id is not None
        self._begin(row.session_id if is_head else None)
        session = self._session(draft)
        if row.changes is not None:
            self._changed(session, row, position)
        elif row.type is not None:
            self._message(session, row, position)
        elif row.rewound_to is not None:
            session.put(position, None, SYSTEM, json_of(line), name=f"rewind:{position}")
        elif is_head:
            self._head(session, row, position)
        else:
            session.put(position, None, OTHER, json_of(line))

    def _begin(self, named: str | None) -> None:
        """Name the session by its head, else by its file; a sub-agent's may name its parent."""
        memory, parent = self._memory, self._place.parent
        if memory.native_id:
            return
        native = without_nul(named or self._stem)
        memory.native_id = f"{parent}.{self._stem}" if parent and native == parent else native

    def _session(self, draft: UnitDraft) -> SessionDraft:
        memory, parent = self._memory, self._place.parent
        is_new = memory.native_id not in draft.sessions
        above = f"{draft.flavor}:{parent}" if parent else None
        session = draft.session(memory.native_id, above)
        if is_new and self.project():
            session.saw_cwd(0, self.project())
        return session

    def _head(self, session: SessionDraft, head: Row | Document, position: int) -> None:
        for told in (head.start_time, head.last_updated):
            _saw(session, told)
        known = self._place.by_hash.get(head.project_hash or "")
        if known and not self.project():
            self._folder(session, known)
        if head.summary:
            put_title(session, head.summary, is_given=False)

    def _folder(self, session: SessionDraft, folder: str) -> None:
        if not self.project():
            self._memory.cwd = without_nul(folder)
            session.saw_cwd(0, self._memory.cwd)

    def _changed(self, session: SessionDraft, row: Row, position: int) -> None:
        """A change of the session; new messages in place of all are told as such, not as said."""
        changes = row.changes
        if changes is None:
            return
        _saw(session, changes.start_time)
        _saw(session, changes.last_updated)
        if changes.summary:
            put_title(session, changes.summary, is_given=False)
        ts = parse_iso(changes.last_updated) if changes.last_updated else None
        for index, message in enumerate(changes.messages or ()):
            text = words_of(parts_of(message.content))
            at = position + min(index, SLOTS_PER_LINE - 1)
            if _SNAPSHOT in text[:_LONGEST_CONTEXT]:
                session.put(at, ts, COMPACTION, text, name=message.id)
            elif text.lstrip().startswith(_CONTEXT):
                self._context(session, message, text, at)

    def _context(self, session: SessionDraft, row: Row, text: str, position: int) -> None:
        """What the client tells the model of the place; it is the same at each start."""
        folder = _FOLDERS.search(text[:_LONGEST_CONTEXT])
        if folder:
            self._folder(session, folder[1].strip())
        session.put(position, _time(row), SYSTEM, text, name=row.id, role="user")

    def _message(self, session: SessionDraft, row: Row, position: int) -> None:
        ts = _time(row)
        if ts is not None:
            session.saw_time(ts)
        if row.type == "gemini":
            self._answer(session, row, ts, position)
        elif row.type == "user":
            self._asked(session, row, ts, position)
        else:
            text = words_of(parts_of(row.content))
            fault: Fault | None = "api_error" if row.type == "error" else None
            kind = SYSTEM if row.type in ("info", "error", "warning") else OTHER
            session.put(position, ts, kind, text, name=row.id, role=row.type, fault=fault)

    def _asked(self, session: SessionDraft, row: Row, ts: int | None, position: int) -> None:
        """What a person asked; a call's result stands with the call, and here once more."""
        parts = parts_of(row.content)
        text = words_of(parts)
        if any(part.function_response for part in parts):
            if text.strip():
                session.put(position, ts, SYSTEM, text, name=row.id, role="user")
            return
        if text.lstrip().startswith(_CONTEXT):
            self._context(session, row, text, position)
            return
        said = words_of(parts_of(row.display_content)) or text
        if said.strip():
            kind = PROMPT if is_prompt(said) else SYSTEM
            session.put(position, ts, kind, said, name=row.id, role="user", is_revised=True)

    def _answer(self, session: SessionDraft, row: Row, ts: int | None, position: int) -> None:
        model = without_nul(row.model) if row.model else None
        if model:
            session.saw_model(ts or 0, model)
        slot = 0
        for thought in row.thoughts or ():
            text = "\n\n".join(filter(None, (thought.subject, thought.description)))
            session.put(position + slot, ts, THINKING, text, name=row.id, role="assistant")
            slot += 1
        text = words_of(parts_of(row.content))
        if text:
            session.put(position + slot, ts, REPLY, text, name=row.id, role="assistant")
            slot += 1
        for call in row.tool_calls or ():
            at = position + min(slot, SLOTS_PER_LINE - 2)
            _put_call(session, call, ts, at)
            slot += 2
        if row.tokens is not None:
            _claim(session, row, row.tokens, ts, model)


def _put_call(session: SessionDraft, call: Call, ts: int | None, position: int) -> None:
    """A call, and its result once it has ended; the exit code counts first, then the status."""
    session.put(
        position,
        ts,
        TOOL_CALL,
        raw_text(call.args),
        role="assistant",
        tool=without_nul(call.name or ""),
        call_id=call.id,
    )
    if call.status not in _FINAL:
        return
    text = "\n".join(
        filter(None, (output_of(part.function_response) for part in call.result or ()))
    )
    if not text and call.result_display is not None:
        text = said_in(call.result_display)
    code = exit_code_of(call.name, text)
    if call.status == "success":
        session.saw_read(ts, call.name or "", raw_text(call.args), text)
    session.put(
        position + 1,
        ts,
        TOOL_RESULT,
        printed(call.name, text),
        role="tool",
        call_id=call.id,
        is_error=call.status != "success" if code is None else code != 0,
        exit_code=code,
        fault=fault_of(call.status, text),
    )


def _claim(
    session: SessionDraft, row: Row, tokens: Tokens, ts: int | None, model: str | None
) -> None:
    cached, thoughts = tokens_of(tokens.cached), tokens_of(tokens.thoughts)
    claim = UsageClaim(
        f"{session.native_id}:{without_nul(row.id or str(ts))}",
        ts,
        model,
        max(tokens_of(tokens.input) + tokens_of(tokens.tool) - cached, 0),
        tokens_of(tokens.output) + thoughts,
        cached,
        reasoning=thoughts,
    )
    if any(claim.tokens()):
        session.claim(claim)


def _time(row: Row) -> int | None:
    return parse_iso(row.timestamp) if row.timestamp else None


def _saw(session: SessionDraft, told: str | None) -> None:
    ts = parse_iso(told) if told else None
    if ts is not None:
        session.saw_time(ts)


def _document_of(content: bytes, draft: UnitDraft) -> Document | None:
    try:
        return decode_document(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        objects, reason = salvage(content.replace(b"\n", b" "))
    try:
        document = read_alone(objects[0], Document) if objects else None
    except RecursionError:
        document, reason = None, TOO_DEEP
    if reason:
        draft.problem(0, reason)
    return document
