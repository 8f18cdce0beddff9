"""Read a Cursor session: words from its transcript, times and results from what databases know."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from helix_tui.capture.adapters import Again, Row
from helix_tui.capture.adapters.cursor.adapter import LOG, TEXT
from helix_tui.capture.adapters.cursor.known import Known, Matching, Outcome, millis, typed_at
from helix_tui.capture.adapters.cursor.records import Block, Bubble, TranscriptRow
from helix_tui.capture.adapters.fields import compact_json, tokens_of
from helix_tui.capture.adapters.lenient import any_json
from helix_tui.capture.adapters.lines import SLOTS_PER_LINE, take_lines
from helix_tui.capture.draft import SessionDraft, UnitDraft, put_title
from helix_tui.files.regular import open_regular
from helix_tui.schema import (
    PROMPT,
    REPLY,
    SYSTEM,
    THINKING,
    TOOL_CALL,
    TOOL_RESULT,
    UsageClaim,
)
from helix_tui.text.hashing import hash64
from helix_tui.text.lazy import lazy
from helix_tui.text.valid import without_nul

_QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)
# What the client puts around the words of a person.
_CLIENT = re.compile(
    r"<(external_links|attached_files|system_reminder|timestamp|open_and_recently_viewed_files|"
    r"user_info|rules|git_status|agent_transcripts|image_files)>.*?</\1>",
    re.DOTALL,
)
_SPEAKER = lazy(r"(?m)^(user|assistant):[ \t]*$")
_CALLED = lazy(r"(?m)^\[Tool call\] (\S{1,200})\n((?:[ \t]+[^\n]*\n?)*)")
_RESULT = lazy(r"(?m)^\[Tool result\][^\n]*\n?")
_THOUGHT = re.compile(r"<think>(.*?)</think>", re.DOTALL)
_WORKER, _WORKER_BYTES = "worker.log", 1 << 18
_PLACE = lazy(r"workspacePath=(\S{1,4000})")
_decode = msgspec.json.Decoder(TranscriptRow).decode


class CursorState(msgspec.Struct, array_like=True):
    """What the next reader of this session needs to know: how often each thing was said."""

    repeats: dict[int, int] = {}
    has_log: bool = False


class CursorReader:
    """Read one session and join what its transcript and the databases say."""

    def __init__(self, name: str, paths: Mapping[str, str], state: bytes) -> None:
        self._name = without_nul(name)
        self._paths = paths
        self._memory = msgspec.msgpack.decode(state, type=CursorState) if state else CursorState()
        self._known = Known()
        self._matching: Matching | None = None
        self._is_joined = False
        log = paths.get(LOG) or paths.get(TEXT) or ""
        self._cwd = _workspace(log)
        folder, _, _ = log.rpartition("/")
        above = folder.removesuffix("/subagents")
        self._parent = above.rpartition("/")[2] if above != folder else ""

    def state(self) -> bytes:
        """The memory that the next reader of this session needs."""
        return msgspec.msgpack.encode(self._memory)

    def restart(self, part: str) -> None:
        """Forget a part that is read again."""
        if part in (LOG, TEXT):
            self._memory = CursorState()
            self._matching = Matching(self._known)
            self._is_joined = bool(self._known.bubbles or self._known.times)

    def project(self) -> str:
        """The folder that the session worked in, where a log of the client names it."""
        return self._cwd

    def again(self, part: str) -> Again | None:
        """The transcript once more, where a database was read after it was."""
        if part != LOG or self._is_joined or not (self._known.bubbles or self._known.times):
            return None
        self._is_joined = True
        return Again(0, is_anew=True)

    def end(self, part: str, draft: UnitDraft) -> None:
        """Add what a database knows of the session itself; without a transcript, all of it."""
        if part in (LOG, TEXT):
            return
        known = self._known
        session = self._session(draft)
        for ts in known.times:
            session.saw_time(ts)
        if known.title:
            put_title(session, known.title, is_given=False)
        if known.model:
            session.saw_model(max(known.times, default=0), without_nul(known.model))
        for nth, (key, bubble) in enumerate(known.ordered()):
            self._claim(session, key, bubble)
            if LOG not in self._paths and TEXT not in self._paths:
                self._put_bubble(session, nth * SLOTS_PER_LINE, key, bubble)

    def _session(self, draft: UnitDraft) -> SessionDraft:
        parent = f"{draft.flavor}:{self._parent}" if self._parent else None
        session = draft.session(self._name, parent)
        if self._cwd and session.cwd is None:
            session.saw_cwd(0, without_nul(self._cwd))
        return session

    def read_rows(
        self, part: str, name: str, position: int, rows: Sequence[Row], draft: UnitDraft
    ) -> None:
        """What a database knows of the session."""
        for row in rows:
            self._known.take(name, row)

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines; an unreadable one costs nothing but itself."""
        session = self._session(draft)

        def take(row: TranscriptRow, line: bytes, position: int) -> None:
            self._take(session, row, position)

        take_lines(lines, offset, draft, _decode, TranscriptRow, take)

    def _take(self, session: SessionDraft, row: TranscriptRow, position: int) -> None:
        blocks = row.message.content
        if row.role == "user":
            self._ask(session, "\n".join(block.text for block in blocks if block.text), position)
        for slot, block in enumerate(blocks, 1):
            at = position + min(slot, SLOTS_PER_LINE // 2 - 1) * 2
            if block.type == "tool_use":
                self._call(session, block, at)
            elif block.type == "tool_result" and block.tool_use_id:
                said = any_json(bytes(block.content))
                text = said if isinstance(said, str) else compact_json(said)
                call = without_nul(block.tool_use_id)
                session.put(
                    at, None, TOOL_RESULT, text, role="tool", call_id=call, is_error=block.is_error
                )
            elif row.role != "user" and block.text.strip():
                kind = THINKING if block.type == "thinking" else REPLY
                self._put(session, at, None, kind, block.text, "assistant")

    def _ask(self, session: SessionDraft, text: str, position: int) -> None:
        """What a person typed is a prompt; what the client put around it is not."""
        typed = _QUERY.findall(text)
        words = "\n".join(typed).strip() if typed else _CLIENT.sub("", text).strip()
        ts = typed_at(text)
        if ts is not None:
            session.saw_time(ts)
        if words:
            known = self._matching.prompt() if self._matching else None
            ts = known if known is not None else ts
            self._put(session, position, ts, PROMPT, words, "user")
        rest = _QUERY.sub("", text).strip() if typed else "" if words == text.strip() else text
        if rest:
            self._put(session, position + 1, ts, SYSTEM, rest, "user")
        if ts is not None:
            session.saw_time(ts)

    def _call(self, session: SessionDraft, block: Block, at: int) -> None:
        given = compact_json(any_json(bytes(block.input)))
        tool = without_nul(block.name)
        call = without_nul(block.id) or f"{self._name}:{self._nth(TOOL_CALL, tool + given)}"
        outcome = self._matching.call(tool) if self._matching else None
        ts = outcome.ts if outcome else None
        session.put(at, ts, TOOL_CALL, given, role="assistant", tool=tool, call_id=call)
        if outcome is not None and outcome.is_over:
            self._put_outcome(session, at + 1, tool, call, outcome)

    def _put_outcome(
        self, session: SessionDraft, at: int, tool: str, call: str, outcome: Outcome
    ) -> None:
        if outcome.ts is not None:
            session.saw_time(outcome.ts)
        session.put(
            at,
            outcome.ts,
            TOOL_RESULT,
            outcome.run.result,
            role="tool",
            tool=tool,
            call_id=call,
            is_error=outcome.is_error,
            exit_code=outcome.exit_code,
            fault="interruption" if outcome.run.status == "cancelled" else None,
        )

    def _put_bubble(self, session: SessionDraft, at: int, key: str, bubble: Bubble) -> None:
        """Something of a conversation of which there is no transcript."""
        ts, run = millis(bubble.created_at), bubble.tool_former_data
        if bubble.thinking is not None and bubble.thinking.text.strip():
            text = bubble.thinking.text
            session.put(at, ts, THINKING, text, name=key, role="assistant", is_revised=True)
        if bubble.text.strip():
            kind, role = (PROMPT, "user") if bubble.type == 1 else (REPLY, "assistant")
            session.put(at + 1, ts, kind, bubble.text, name=key, role=role, is_revised=True)
        if run is not None:
            call, tool = without_nul(key), without_nul(run.name)
            given = run.raw_args or run.params or "{}"
            session.put(at + 2, ts, TOOL_CALL, given, role="assistant", tool=tool, call_id=call)
            outcome = next(one for one in self._known.outcomes() if one.run is run)
            if outcome.is_over:
                self._put_outcome(session, at + 3, tool, call, outcome)

    def _claim(self, session: SessionDraft, key: str, bubble: Bubble) -> None:
        """What an answer took: only old versions say so."""
        told = bubble.token_count
        model = without_nul(self._known.model) or None
        claim = UsageClaim(f"{self._name}:{without_nul(key)}", millis(bubble.created_at), model)
        claim.input, claim.output = tokens_of(told.input_tokens), tokens_of(told.output_tokens)
        if any(claim.tokens()):
            session.claim(claim)

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """An older transcript: blocks of text under `user:` and `assistant:`."""
        if LOG in self._paths:
            return
        session = self._session(draft)
        _, *pieces = _SPEAKER.split(content.decode("utf-8", "replace"))
        for nth, (speaker, text) in enumerate(zip(pieces[::2], pieces[1::2], strict=True)):
            at = nth * SLOTS_PER_LINE
            if speaker == "user":
                self._ask(session, text, at)
                continue
            for slot, found in enumerate(_CALLED.finditer(text)):
                name, fields = found.groups()
                given = dict(_field(line) for line in fields.splitlines() if ":" in line)
                block = Block(name=name, input=msgspec.Raw(msgspec.json.encode(given)))
                self._call(session, block, at + 4 + 2 * min(slot, 400))
            rest = _RESULT.sub("", _CALLED.sub("", text))
            for thought in _THOUGHT.findall(rest):
                self._put(session, at, None, THINKING, thought.strip(), "assistant")
            if said := _THOUGHT.sub("", rest).strip():
                self._put(session, at + 2, None, REPLY, said, "assistant")

    def _put(
        self, session: SessionDraft, at: int, ts: int | None, kind: int, text: str, role: str
    ) -> None:
        """Put something that has no id: it is known by its words, and how often they were said."""
        session.put(at, ts, kind, text, name=self._nth(kind, text), role=role)

    def _nth(self, kind: int, text: str) -> str:
        key = hash64(f"{kind}:{text}".encode("utf-8", "replace"))
        nth = self._memory.repeats[key] = self._memory.repeats.get(key, 0) + 1
        return f"{key:x}:{nth}"


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip(), value.strip()


def _workspace(log: str) -> str:
    """The folder that a project's own log names: the name of its folder has lost every sign."""
    project, found, _ = log.partition("/agent-transcripts/")
    if not found:
        return ""
    try:
        with open_regular(f"{project}/{_WORKER}", follows_links=False) as file:
            place = _PLACE.search(file.read(_WORKER_BYTES).decode("utf-8", "replace"))
    except OSError:
        return ""  # most projects have none
    return place[1] if place else ""
