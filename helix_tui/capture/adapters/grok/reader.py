"""Read a Grok session's folder: its identity, outcomes of calls, times and words.

The chat has the words and no times; the stream of updates has times, what turns cost, and the
words that a compaction took out of the chat; the telemetry knows which calls failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar
from urllib.parse import unquote

import msgspec

from helix_tui.capture.adapters import Again
from helix_tui.capture.adapters.grok.chat import ChatRows
from helix_tui.capture.adapters.grok.memory import (
    CHAT,
    EVENTS,
    UPDATES,
    GrokState,
    Missing,
    UpdatePosition,
)
from helix_tui.capture.adapters.grok.put import SLOTS_PER_LINE
from helix_tui.capture.adapters.grok.records import (
    ChatRow,
    GrokSummary,
    Telemetry,
    UpdateLine,
    decode_line,
    decode_row,
    decode_telemetry,
)
from helix_tui.capture.adapters.grok.telemetry import take_telemetry
from helix_tui.capture.adapters.grok.updates import Updates
from helix_tui.capture.adapters.lenient import lenient, read_alone
from helix_tui.capture.draft import SessionDraft, UnitDraft, put_link, put_title
from helix_tui.capture.salvage import JsonObject, salvage
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import valid_json, without_nul

_HUMP = re.compile("[A-Z]")
_TOO_DEEP = "JSON nested too deeply"
_NOT_CHILDREN = ("fork", "worktree")
T = TypeVar("T", bound=msgspec.Struct)


class GrokReader:
    """Read the parts of one session and join them."""

    def __init__(self, folder: str, *, has_chat: bool, has_times: bool, state: bytes) -> None:
        rest, _, name = folder.rpartition("/")
        folder_cwd = unquote(rest.rpartition("/")[2])
        self._folder_cwd = folder_cwd if folder_cwd.startswith("/") else ""
        self._has_chat = has_chat
        self._has_times = has_times
        self._memory = msgspec.msgpack.decode(state, type=GrokState) if state else GrokState(name)
        # Set while the updates are read a second time, for what the chat lacks.
        self._filling: tuple[UpdatePosition, Missing] | None = None

    def state(self) -> bytes:
        """The memory that the next reader of this session needs."""
        return msgspec.msgpack.encode(self._memory)

    def restart(self, part: str) -> None:
        """Forget a part that is read again."""
        self._memory.forget(part)

    def project(self) -> str:
        """The folder that the session worked in; a long one's name does not spell it out."""
        return self._memory.cwd or self._folder_cwd

    def again(self, part: str) -> Again | None:
        """Where to read a part once more.

        The chat, if it was read before all its times and outcomes were known; then the updates,
        from where they have something that the chat lost, or all of them if more is known now.
        """
        memory = self._memory
        if part == CHAT:
            return Again(0, is_anew=True) if memory.is_stale() else None
        if part != UPDATES:
            return None
        if not self._has_chat:
            is_other = memory.is_text_cut or memory.is_stale()
            return Again(0, is_anew=True) if is_other else None
        if memory.is_fill_stale():
            return Again(0, is_anew=True)
        # A chat that is to be read anew may have other prompts than it seemed to have.
        missing = None if self._filling or memory.is_stale() else memory.missing()
        if missing is None:
            return None
        self._filling = UpdatePosition(memory.prompt_before(missing.start)), missing
        return Again(missing.start, is_anew=False)

    def end(self, part: str, draft: UnitDraft) -> None:
        """Pass on the text with which the updates end for now.

        Only where no file of the session has times, the summary's times are the session's.
        """
        memory = self._memory
        if part == UPDATES:
            self._updates(draft).end()
        session = self._session(draft)
        memory.is_timed = memory.is_timed or session.first_ts is not None
        if part == CHAT and not (self._has_times or memory.is_timed) and memory.created_ts:
            session.saw_time(memory.created_ts)
            session.saw_time(memory.updated_ts or memory.created_ts)

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """`summary.json`: which session this is, and where it worked."""
        try:
            summary = _summary_of(content, draft)
        except RecursionError:
            draft.problem(0, _TOO_DEEP)
            summary = GrokSummary()
        self._identify(summary)
        if summary.parent_session_id and summary.session_kind in _NOT_CHILDREN:
            forked_from = without_nul(summary.parent_session_id)
            put_link(self._session(draft), f"{draft.flavor}:{forked_from}")
        if summary.current_model_id:
            self._memory.model = without_nul(summary.current_model_id)
            active_ts = _time(summary.last_active_at) or _time(summary.updated_at)
            model = without_nul(summary.current_model_id)
            self._session(draft).saw_model(active_ts or self._memory.created_ts, model)
        title = summary.generated_title or summary.session_summary
        if title:
            put_title(self._session(draft), title, is_given=summary.title_is_manual is True)

    def _identify(self, summary: GrokSummary) -> None:
        memory, info = self._memory, summary.info
        if info and info.id and not memory.is_named:
            memory.native_id, memory.is_named = without_nul(info.id), True
        memory.created_ts = _time(summary.created_at) or 0
        memory.updated_ts = _time(summary.updated_at) or 0
        is_fork = summary.session_kind == "fork"
        memory.forked_ts = _time(summary.forked_at) or (memory.created_ts if is_fork else 0)
        memory.inherited_rows = summary.inherited_prefix_len or 0
        is_child = summary.session_kind not in _NOT_CHILDREN
        parent = summary.parent_session_id if is_child else None
        memory.parent = without_nul(parent) if parent else None
        memory.cwd = without_nul(info.cwd) if info and info.cwd else ""
        memory.branch = without_nul(summary.head_branch or "")
        remotes = [remote for remote in summary.git_remotes or () if isinstance(remote, str)]
        memory.remote = without_nul(remotes[0]) if remotes else ""

    def _session(self, draft: UnitDraft) -> SessionDraft:
        """The draft of this session, begun with all that the summary says."""
        memory = self._memory
        is_new = memory.native_id not in draft.sessions
        parent = f"{draft.flavor}:{memory.parent}" if memory.parent else None
        session = draft.session(memory.native_id, parent)
        if is_new:
            session.remote = memory.remote
            if cwd := memory.cwd or self._folder_cwd:
                session.saw_cwd(memory.created_ts, cwd)
            if memory.branch:
                session.saw_branch(memory.created_ts, memory.branch)
        return session

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines; an unreadable one costs nothing but itself."""
        session = self._session(draft)
        if part == CHAT:
            chat = ChatRows(self._memory, session)
            _read(lines, offset, draft, decode_row, ChatRow, chat.take)
        elif part == EVENTS:

            def take(event: Telemetry, line: bytes, offset: int, slot: int) -> None:
                position = offset * SLOTS_PER_LINE + slot
                take_telemetry(event, line, position, self._memory, session)

            _read(lines, offset, draft, decode_telemetry, Telemetry, take)
        else:
            _read(lines, offset, draft, decode_line, UpdateLine, self._updates(draft).take)

    def _updates(self, draft: UnitDraft) -> Updates:
        memory = self._memory
        place, missing = self._filling or (memory.place, None)
        return Updates(
            memory,
            place,
            draft,
            self._session(draft),
            is_source=not self._has_chat,
            missing=missing,
        )


def _read(
    lines: Sequence[bytes],
    offset: int,
    draft: UnitDraft,
    decode: Callable[[bytes], T],
    kind: type[T],
    take: Callable[[T, bytes, int, int], None],
) -> None:
    for line in lines:
        try:
            record = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            if line and not line.isspace():
                objects, reason = salvage(line)
                for slot, item in enumerate(objects[:SLOTS_PER_LINE]):
                    text = item.text.encode("utf-8", "replace")
                    try:
                        take(read_alone(item, kind), text, offset, slot)
                    except RecursionError:
                        reason = _TOO_DEEP
                if reason:
                    draft.problem(offset, reason)
        else:
            take(record, line, offset, 0)
        offset += len(line) + 1


def _summary_of(content: bytes, draft: UnitDraft) -> GrokSummary:
    """A summary of any version, as far as it can be read."""
    try:
        summary = msgspec.json.decode(content, type=GrokSummary)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        objects, reason = salvage(content.replace(b"\n", b" "))
        summary = read_alone(objects[0], GrokSummary) if objects else GrokSummary()
        if reason:
            draft.problem(0, reason)
    if summary.created_at is None:
        objects, _ = salvage(content.replace(b"\n", b" "))
        summary = _old_summary(objects[0].value) if objects else summary
    return summary


def _old_summary(raw: JsonObject) -> GrokSummary:
    """A summary as older versions wrote it, its names in camel case."""
    renamed = {_HUMP.sub(_underscored, name): value for name, value in raw.items()}
    value = valid_json(renamed)
    return lenient(value if isinstance(value, dict) else {}, GrokSummary)


def _underscored(hump: re.Match[str]) -> str:
    return f"_{hump[0].lower()}"


def _time(text: str | None) -> int | None:
    return parse_iso(text) if text else None
