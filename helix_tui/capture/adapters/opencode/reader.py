"""Read an OpenCode session: its messages and their parts, from a database, files or an export."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import UNSET

from helix_tui.capture.adapters import Row
from helix_tui.capture.adapters.fields import compact_json, tokens_of
from helix_tui.capture.adapters.lenient import any_json
from helix_tui.capture.adapters.opencode.records import (
    Export,
    Failure,
    MessageInfo,
    PartInfo,
    SessionInfo,
    State,
    Tokens,
    decoded,
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
    Fault,
    UsageClaim,
)
from helix_tui.text.valid import without_nul

SLOTS_PER_ROW = 1024
TICKS_PER_USD = 10**10
IMAGE, FILE = "[image]", "[file]"
# What the client calls a session before it has a title.
_UNTITLED = re.compile(r"(?:New|Child) session - \d{4}-\d\d-\d\dT")
_NUMBER = re.compile(r"\d+")
# From this version on `output` leaves out what was spent on reasoning.
_APART_SINCE = (1, 4)
# How the client says, in the words of a tool, why a call came to nothing.
_REFUSED = re.compile(
    r"The user (?:rejected permission|has specified a rule which prevents)|"
    r"The user dismissed this question|Permission denied"
)
_STOPPED = re.compile(r"Tool execution aborted|<\w+_metadata>\s*User aborted the command")
_LATE = re.compile(r"<\w+_metadata>\s*\w+ tool terminated command after exceeding timeout")
_ENDED = 400  # characters at the end of an output in which the client has its say
# Parts that repeat what others say, or only mark a place.
_LEFT_OUT = frozenset(("step-start", "step-finish", "snapshot", "patch", "agent"))
_ABORTED = "MessageAbortedError"


class OpenCodeReader:
    """Read one session, whole each time: there is nothing to remember."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._id = ""
        self._session_info = SessionInfo()
        self._message = MessageInfo()
        self._message_count = 0
        self._calls: dict[str, str] = {}
        # What a person's message says so far, and where it stands.
        self._said: list[str] = []
        self._said_at = 0
        self._is_compaction = False

    def state(self) -> bytes:
        """Nothing: a session is read whole."""
        return b""

    def restart(self, part: str) -> None:
        """Begin anew."""
        self._forget()

    def project(self) -> str:
        """The folder that the session worked in."""
        return self._session_info.directory

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """There are no logs of lines."""
        raise NotImplementedError

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """An exported session."""
        export = decoded(content, Export) if b'"messages"' in content else None
        if export is None or not export.info.id:
            draft.problem(0, "not an exported session")
            return
        self._begin(export.info, draft)
        position = 1
        for message in export.messages:
            self._take_message("", bytes(message.info), position, draft)
            position += 1
            for data in message.parts:
                self._take_part("", bytes(data), position, draft)
                position += 1
        self.end(part, draft)

    def read_rows(
        self, part: str, name: str, position: int, rows: Sequence[Row], draft: UnitDraft
    ) -> None:
        """Take rows of a database, or of the files before it, in order."""
        for row in rows:
            if name == "session":
                self._begin(_session_of(row), draft)
            elif name == "message":
                self._take_message(row[0], row[1], position, draft)
            elif name == "part":
                self._take_part(row[0], row[1], position, draft)
            elif name == "moved" and row[0] and not self._message_count:
                draft.problem(
                    0,
                    "its messages are in the tables of a newer version (session_message), "
                    "which Helix does not read yet",
                )
            position += 1

    def end(self, part: str, draft: UnitDraft) -> None:
        """Pass on the last message of a person."""
        self._end_prompt(draft)

    def _begin(self, info: SessionInfo, draft: UnitDraft) -> None:
        self._id, self._session_info = without_nul(info.id), info
        session = self._session(draft)
        if info.title and not _UNTITLED.match(info.title):
            put_title(session, info.title, is_given=False)

    def _session(self, draft: UnitDraft) -> SessionDraft:
        info = self._session_info
        parent = f"{draft.flavor}:{without_nul(info.parent_id)}" if info.parent_id else None
        is_new = self._id not in draft.sessions
        session = draft.session(self._id, parent)
        if is_new and info.directory:
            session.saw_cwd(info.time.created or 0, without_nul(info.directory))
        if is_new and info.version:
            session.saw_agent_version(info.time.created or 0, without_nul(info.version))
        return session

    def _take_message(self, name: str, data: bytes, position: int, draft: UnitDraft) -> None:
        self._end_prompt(draft)
        message = decoded(data, MessageInfo)
        if message is None:
            draft.problem(position, "a message that is no JSON object")
            message = MessageInfo()
        self._message_count += 1
        self._message, self._is_compaction = message, False
        message.id = without_nul(name or message.id or f"message {self._message_count}")
        session = self._session(draft)
        for ts in (message.time.created, message.time.completed):
            if ts is not None:
                session.saw_time(ts)
        if message.role == "assistant":
            self._take_usage(session)
        if message.error is not None:
            self._put_failure(session, message.error, message.id, position, message.time.completed)

    def _take_usage(self, session: SessionDraft) -> None:
        message = self._message
        ts, model = message.time.created, without_nul(message.model_id) or None
        if model and ts is not None:
            session.saw_model(ts, model)
        tokens = message.tokens or Tokens()
        reasoning = tokens_of(tokens.reasoning)
        output = tokens_of(tokens.output)
        claim = UsageClaim(f"{self._id}:{message.id}", ts, model, tokens_of(tokens.input))
        claim.output = output + reasoning if self._is_apart(tokens) else output
        claim.reasoning = reasoning
        claim.cache_read, claim.cache_write = map(
            tokens_of, (tokens.cache.read, tokens.cache.write)
        )
        # Nothing is recorded for subscriptions and free models: those are priced like any other.
        if message.cost and 0 < message.cost < 1e6:
            claim.cost_ticks = round(message.cost * TICKS_PER_USD)
        if any(claim.tokens()) or claim.cost_ticks:
            session.claim(claim)

    def _is_apart(self, tokens: Tokens) -> bool:
        """Whether `output` leaves out the reasoning: by the total, else by the version."""
        with_it = tokens.input + tokens.output + tokens.cache.read + tokens.cache.write
        if tokens.reasoning and tokens.total in (with_it, with_it + tokens.reasoning):
            return tokens.total != with_it
        version = tuple(map(int, _NUMBER.findall(self._session_info.version)[:2]))
        return not version or version >= _APART_SINCE

    def _take_part(self, name: str, data: bytes, position: int, draft: UnitDraft) -> None:
        part = decoded(data, PartInfo)
        if part is None:
            draft.problem(position, "a part that is no JSON object")
            return
        message, session = self._message, self._session(draft)
        part.id = without_nul(name or part.id or f"{message.id}:{position}")
        for ts in (part.time.start, part.time.end):
            if ts is not None:
                session.saw_time(ts)
        at = position * SLOTS_PER_ROW
        ts = part.time.start if part.time.start is not None else message.time.created
        if part.type == "tool":
            self._put_call(session, part, at)
        elif message.role == "user" and part.type in ("text", "file", "subtask"):
            self._take_said(session, part, at, ts)
        elif part.type == "text":
            is_spoken = message.role == "assistant" and message.summary != b"true"
            if part.text.strip():
                kind = REPLY if is_spoken and not part.synthetic else SYSTEM
                self._put(session, at, ts, kind, part.text, part.id, message.role or None)
        elif part.type == "reasoning":
            if part.text.strip():
                self._put(session, at, ts, THINKING, part.text, part.id, "assistant")
        elif part.type == "compaction":
            self._is_compaction = True
            self._put(session, at, ts, COMPACTION, compact_json(any_json(data)), part.id, None)
        elif part.type == "retry" and part.error is not None:
            self._put_failure(session, part.error, part.id, position, ts)
        elif part.type not in _LEFT_OUT and part.type != "file":
            self._put(session, at, ts, OTHER, compact_json(any_json(data)), part.id, None)

    def _take_said(self, session: SessionDraft, part: PartInfo, at: int, ts: int | None) -> None:
        """Gather what a person says in one message; what the client put in is no part of it."""
        if part.synthetic or part.ignored:
            if part.text.strip():
                self._put(session, at, ts, SYSTEM, part.text, part.id, "user")
            return
        if part.type == "file":
            text = IMAGE if part.mime.startswith("image/") else FILE
        else:
            text = part.text or part.prompt
        if text.strip() or part.type == "subtask":
            self._said_at = self._said_at or at
            self._said.append(text)

    def _end_prompt(self, draft: UnitDraft) -> None:
        """Put what a person said in one message, once all of it is there."""
        said, at, message = self._said, self._said_at, self._message
        self._said, self._said_at = [], 0
        if not said:
            return
        words = [text for text in said if text not in (IMAGE, FILE)]
        shown = words + [text for text in said if text == IMAGE] if words else said
        session = self._session(draft)
        kind = SYSTEM if self._is_compaction else PROMPT
        text = "\n".join(shown)
        self._put(session, at, message.time.created, kind, text, message.id, "user")

    def _put_call(self, session: SessionDraft, part: PartInfo, at: int) -> None:
        state = part.state or State()
        if not part.call_id:
            return
        # Some models count their calls anew in each reply: a second one of that name has its own.
        call_id = without_nul(part.call_id)
        if self._calls.setdefault(call_id, part.id) != part.id:
            call_id = part.id
        started = state.time.start if state.time.start is not None else self._message.time.created
        ended = state.time.end if state.time.end is not None else started
        for ts in (started, ended):
            if ts is not None:
                session.saw_time(ts)
        given = compact_json(any_json(bytes(state.input)))
        tool = without_nul(part.tool)
        session.put(at, started, TOOL_CALL, given, role="assistant", tool=tool, call_id=call_id)
        if state.status not in ("completed", "error"):
            return
        said = state.error if state.status == "error" else state.output
        code = state.metadata.exit
        is_error = state.status == "error" or part.tool == "invalid"
        is_error = is_error or (code is not UNSET and code != 0)
        if not is_error:
            session.saw_read(ended, tool, given, said)
        session.put(
            at + 1,
            ended,
            TOOL_RESULT,
            said,
            role="tool",
            tool=tool,
            call_id=call_id,
            is_error=is_error,
            exit_code=code if isinstance(code, int) else None,
            fault=_fault(said, state) if is_error else None,
        )

    def _put_failure(
        self, session: SessionDraft, error: Failure, name: str, position: int, ts: int | None
    ) -> None:
        """Put why a message came to nothing: somebody stopped it, or the provider failed."""
        fault: Fault = "interruption" if error.name == _ABORTED else "api_error"
        told = {"name": error.name, "data": any_json(bytes(error.data))}
        session.put(
            position * SLOTS_PER_ROW + 1,
            ts if ts is not None else self._message.time.created,
            SYSTEM,
            compact_json(told),
            name=f"{name}:error",
            role="assistant",
            fault=fault,
            is_revised=True,
        )

    def _put(
        self,
        session: SessionDraft,
        at: int,
        ts: int | None,
        kind: int,
        text: str,
        name: str,
        role: str | None,
    ) -> None:
        """Put what a row says by now: the row is known by its id, whatever it said before."""
        session.put(at, ts, kind, text, name=name, role=role, is_revised=True)


def _session_of(row: Row) -> SessionInfo:
    unit, parent, directory, title, version, created = row
    info = SessionInfo(unit, parent, directory or "", title or "", version or "")
    info.time.created = created if isinstance(created, int) else None
    return info


def _fault(said: str, state: State) -> Fault | None:
    """What the client says of a call that came to nothing by no fault of the command."""
    end = said[-_ENDED:]
    if state.metadata.interrupted or _STOPPED.match(said) or _STOPPED.search(end):
        return "interruption"
    if _REFUSED.match(said):
        return "refusal"
    return "timeout" if _LATE.search(end) else None
