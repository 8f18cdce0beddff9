"""Turn Claude Code's records into events, usage and facts of their sessions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

import msgspec

from helix_tui.capture.adapters.claude.client import client_text, instructions_in, queued_prompt
from helix_tui.capture.adapters.claude.prompts import (
    block_text,
    human_blocks,
    result_text,
)
from helix_tui.capture.adapters.claude.queue import PromptQueue, Queued, queued_text
from helix_tui.capture.adapters.claude.records import (
    Block,
    ClaudeRecord,
    Message,
    MessageUsage,
    decode_record,
    lenient_record,
    ticks_of,
)
from helix_tui.capture.adapters.claude.tasks import TASK_TOOLS, note_task, started_agent
from helix_tui.capture.adapters.fields import tokens_of
from helix_tui.capture.draft import SessionDraft, UnitDraft, put_link, put_title
from helix_tui.capture.salvage import FoundObject, JsonObject, salvage
from helix_tui.schema import (
    COMPACTION,
    OTHER,
    PROMPT,
    QUEUED_ROLE,
    REPLY,
    SYSTEM,
    THINKING,
    TOOL_CALL,
    TOOL_RESULT,
    EventTuple,
    UsageClaim,
)
from helix_tui.text.asked import is_prompt
from helix_tui.text.hashing import hash64
from helix_tui.text.redact import redact
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import valid_json, without_nul

BLOCKS_PER_LINE = 1024
SYNTHETIC = "<synthetic>"
_MOST_SUMMARIES = 64
_LONGEST_SUMMARY = 400
NO_SESSION = "a record whose sessionId is no name"
# Records whose typed fields are complete; of others the rest is kept as well.
_TYPED = frozenset(("user", "assistant", "progress"))
_EXIT_CODE = re.compile(r"(?:Error: )?Exit code (\d{1,5})\b")


class ReaderState(msgspec.Struct, array_like=True):
    """What the next reader of a file needs: roots of inline sidechains, repeats, queued prompts."""

    roots: dict[str, str] = {}
    repeats: dict[int, int] = {}
    queue: PromptQueue = msgspec.field(default_factory=PromptQueue)
    tasks: dict[str, str] = {}
    summaries: dict[str, str] = {}


class ClaudeReader:
    """Read one file; remember the roots of inline sidechains, repeated records, queued prompts."""

    def __init__(self, path: str, state: bytes) -> None:
        name = path.rpartition("/")[2].removesuffix(".jsonl")
        self._file_agent = name.removeprefix("agent-") if name.startswith("agent-") else None
        self._roots: dict[str, str] = {}
        self._repeats: dict[int, int] = {}
        # The last usage claim: its session, message, model, usage and cost; then its time.
        self._last_claim: (
            tuple[SessionDraft, str, str | None, MessageUsage, float | None] | None
        ) = None
        self._last_claim_ts = 0
        self._queue = PromptQueue()
        # Calls that started a sub-agent and have no result yet, with what it was started for.
        self._tasks: dict[str, str] = {}
        # Summaries by the uuid of the record that they sum up to; it may stand in another file.
        self._summaries: dict[str, str] = {}
        if state:
            memory = msgspec.msgpack.decode(state, type=ReaderState)
            self._roots, self._repeats = memory.roots, memory.repeats
            self._queue, self._tasks = memory.queue, memory.tasks
            self._summaries = memory.summaries

    def state(self) -> bytes:
        """The memory that the next reader of this file needs."""
        queue = self._queue
        if not any((self._roots, self._repeats, queue.waiting, queue.handed_over)) and not (
            self._tasks or self._summaries
        ):
            return b""
        return msgspec.msgpack.encode(
            ReaderState(self._roots, self._repeats, queue, self._tasks, self._summaries)
        )

    def restart(self, part: str) -> None:
        """Forget everything: the file is read again."""
        self._roots.clear()
        self._repeats.clear()
        self._queue = PromptQueue()
        self._tasks = {}
        self._summaries = {}

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """Claude Code keeps no documents."""
        raise AssertionError(f"no part of a Claude log is a document: {part}")

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines; an unreadable one costs nothing but itself."""
        for line in lines:
            try:
                record = decode_record(line)
                raw = {} if record.type in _TYPED else _untyped(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                if line and not line.isspace():
                    self._read_refused(line, offset, draft)
            else:
                if record.session_id:
                    self._take(record, raw, offset, 0, draft)
                elif record.session_id is not None:
                    draft.problem(offset, NO_SESSION)
                elif record.type == "summary":
                    self._note_summary(raw)
            offset += len(line) + 1

    def _read_refused(self, line: bytes, offset: int, draft: UnitDraft) -> None:
        objects, reason = salvage(line)
        slot = 0
        for item in objects:
            try:
                record, raw = _read_alone(item)
            except RecursionError:
                reason = "JSON nested too deeply"
                continue
            if record.session_id:
                slot = self._take(record, raw, offset, slot, draft)
            elif "sessionId" in item.value:
                reason = NO_SESSION
            elif record.type == "summary":
                self._note_summary(raw)
        if reason:
            draft.problem(offset, reason)

    def _take(
        self, record: ClaudeRecord, raw: JsonObject, offset: int, slot: int, draft: UnitDraft
    ) -> int:
        """Add one record to its session; return the slot after its last event on the line."""
        session = self._session_of(record, draft)
        ts = parse_iso(record.timestamp) if record.timestamp else None
        if ts is not None:
            session.saw_time(ts)
            if record.cwd and (session.cwd is None or ts <= session.cwd.ts):
                session.saw_cwd(ts, without_nul(record.cwd))
            if record.git_branch and (session.branch is None or ts <= session.branch.ts):
                session.saw_branch(ts, without_nul(record.git_branch))
            known = session.agent_version
            if record.version and (known is None or ts <= known.ts):
                session.saw_agent_version(ts, without_nul(record.version))
        if record.forked_from is not None and record.forked_from.get("sessionId"):
            forked_from = without_nul(str(record.forked_from["sessionId"]))
            put_link(session, f"{draft.flavor}:{forked_from}")
        if self._summaries and record.uuid in self._summaries:
            put_title(session, self._summaries.pop(record.uuid or ""), is_given=False)
        kind = record.type
        if kind == "progress":
            return slot  # a copy of what the sub-agent's or the tool's own record holds
        position = offset * BLOCKS_PER_LINE + slot
        if kind == "assistant":
            count = self._take_assistant(session, record, ts, position)
        elif kind == "user":
            count = self._take_user(session, record, ts, position)
            if self._tasks:
                self._name_agents(record, draft)
        else:
            try:
                count = self._take_client(session, record, ts, position, raw)
            except RecursionError:
                draft.problem(offset, "JSON nested too deeply")
                count = 0
        return min(slot + count, BLOCKS_PER_LINE - 1)

    def _session_of(self, record: ClaudeRecord, draft: UnitDraft) -> SessionDraft:
        native = without_nul(record.session_id or "")
        if not record.is_sidechain and self._file_agent is None:
            return draft.session(native)
        agent = record.agent_id or self._file_agent or self._sidechain_root(record)
        return draft.session(f"{native}.{without_nul(agent)}", f"{draft.flavor}:{native}")

    def _sidechain_root(self, record: ClaudeRecord) -> str:
        """The uuid of the first record of an inline sidechain, by the chain of parents."""
        uuid = record.uuid or record.parent_uuid or "sidechain"
        root = self._roots.get(record.parent_uuid or "", uuid)
        self._roots[uuid] = root
        return root

    def _take_assistant(
        self, session: SessionDraft, record: ClaudeRecord, ts: int | None, position: int
    ) -> int:
        """A reply: what the message cost, and an event for each of its blocks.

        Here and in `_take_user` events are built in place: one more call for each of them, with
        its many arguments, is a twentieth of a worker's time.
        """
        message = record.message
        if message is None:
            return 0
        is_client_made = message.model == SYNTHETIC or record.is_api_error is True
        if not is_client_made:
            self._claim(session, record, ts, message)
        content = message.content
        if isinstance(content, str):
            content = [Block(type="text", text=content)]
        elif content is None:
            return 0
        for index, block in enumerate(content):
            block_type = block.type
            tool: str | None = None
            call_id: str | None = None
            message_id = message.id
            if is_client_made:
                kind, text, message_id = SYSTEM, block_text(block), None
            elif block_type == "text":
                kind, text = REPLY, block.text or ""
            elif block_type == "tool_use" or block_type.endswith("_tool_use"):
                kind, text = TOOL_CALL, bytes(block.input).decode("utf-8", "replace")
                tool, call_id = without_nul(block.name or ""), block.id
                if tool in TASK_TOOLS:
                    note_task(self._tasks, block)
            elif block_type == "thinking" or block_type == "redacted_thinking":
                kind, text = THINKING, block.thinking or ""
            elif block_type.endswith("tool_result"):
                self._take_result(session, record, ts, position, index, block)
                continue
            else:
                kind, text = OTHER, block.text or f"[{block_type}]"
            session.add(
                (
                    self._identity(session, record, index, kind, call_id, text),
                    position + min(index, BLOCKS_PER_LINE - 1),
                    ts,
                    kind,
                    False,
                    "assistant",
                    tool,
                    call_id,
                    None,
                    message_id,
                    without_nul(text),
                    None,
                )
            )
        return len(content)

    def _claim(
        self, session: SessionDraft, record: ClaudeRecord, ts: int | None, message: Message
    ) -> None:
        model = without_nul(message.model) if message.model else None
        if model and ts is not None:
            session.saw_model(ts, model)
        usage = message.usage
        key = message.id or record.uuid
        if usage is None or not key:
            return
        claim = session, key, model, usage, record.cost_usd
        if claim == self._last_claim and ts is not None and self._last_claim_ts <= ts:
            return  # a later record of the same message, as half of them are
        if ts is not None:
            self._last_claim, self._last_claim_ts = claim, ts
        written = tokens_of(usage.cache_creation_input_tokens)
        cache_creation = usage.cache_creation
        session.claim(
            UsageClaim(
                without_nul(key),
                ts,
                model,
                tokens_of(usage.input_tokens),
                tokens_of(usage.output_tokens),
                tokens_of(usage.cache_read_input_tokens),
                written,
                cost_ticks=ticks_of(record.cost_usd),
                cache_write_1h=min(tokens_of(cache_creation.ephemeral_1h_input_tokens), written)
                if cache_creation
                else 0,
            )
        )

    def _take_user(
        self, session: SessionDraft, record: ClaudeRecord, ts: int | None, position: int
    ) -> int:
        """A person's prompt, a tool's result, or what the client inserted as the user."""
        message = record.message
        if message is None or message.content is None:
            return 0
        is_injected = record.is_meta is True or record.is_compact_summary is True
        content = message.content
        if isinstance(content, str):
            kind = PROMPT if not is_injected and is_prompt(content) else SYSTEM
            self._take_text(session, record, ts, position, 0, kind, "user", content)
            return self._deliver(session, position, 1, content) if kind == PROMPT else 1
        if len(content) == 1 and content[0].type == "tool_result":  # as nearly all lists are
            self._take_result(session, record, ts, position, 0, content[0])
            return 1
        count = 0
        human = [] if is_injected else human_blocks(content)
        # In the order of the blocks, in which the store gives them back.
        for index, block in enumerate(content):
            if block.type == "tool_result":
                self._take_result(session, record, ts, position, index, block)
            elif index in human[1:]:
                continue
            elif index in human:
                text = "\n\n".join(block_text(content[number]) for number in human)
                self._take_text(session, record, ts, position, index, PROMPT, "user", text)
                self._deliver(session, position, len(content), text)
            else:
                text = block_text(block) or f"[{block.type}]"
                self._take_text(session, record, ts, position, index, SYSTEM, "user", text)
            count = max(count, index + 1)
        return count

    def _note_summary(self, raw: JsonObject) -> None:
        """Remember a summary until the record comes that it sums up to."""
        leaf, summary = raw.get("leafUuid"), raw.get("summary")
        if isinstance(leaf, str) and isinstance(summary, str) and summary:
            self._summaries[leaf] = redact(summary[:_LONGEST_SUMMARY])
            if len(self._summaries) > _MOST_SUMMARIES:
                del self._summaries[next(iter(self._summaries))]

    def _name_agents(self, record: ClaudeRecord, draft: UnitDraft) -> None:
        """Call sub-agents what they were started for, where a result names them."""
        content = record.message.content if record.message else None
        for block in content if isinstance(content, list) else ():
            text = block.content if isinstance(block.content, str) else result_text(block.content)
            started = started_agent(self._tasks, block.tool_use_id or "", text)
            if started is not None and record.session_id:
                native = without_nul(record.session_id)
                child = draft.session(f"{native}.{started[0]}", f"{draft.flavor}:{native}")
                put_title(child, started[1], is_given=False)

    def _take_result(
        self,
        session: SessionDraft,
        record: ClaudeRecord,
        ts: int | None,
        position: int,
        index: int,
        block: Block,
    ) -> None:
        content = block.content
        text = content if isinstance(content, str) else result_text(content)
        is_error = block.is_error is True
        exit_code = _EXIT_CODE.match(text) if is_error else None
        call_id = block.tool_use_id
        session.add(
            (
                self._identity(session, record, index, TOOL_RESULT, call_id, text),
                position + min(index, BLOCKS_PER_LINE - 1),
                ts,
                TOOL_RESULT,
                is_error,
                "tool",
                None,
                call_id,
                int(exit_code[1]) if exit_code else None,
                None,
                without_nul(text),
                None,
            )
        )

    def _take_text(
        self,
        session: SessionDraft,
        record: ClaudeRecord,
        ts: int | None,
        position: int,
        index: int,
        kind: int,
        role: str | None,
        text: str,
    ) -> None:
        """Add an event that is nothing but a text."""
        session.add(
            _text_event(
                self._identity(session, record, index, kind, None, text),
                position + min(index, BLOCKS_PER_LINE - 1),
                ts,
                kind,
                role,
                text,
            )
        )

    def _identity(
        self,
        session: SessionDraft,
        record: ClaudeRecord,
        index: int,
        kind: int,
        call_id: str | None,
        text: str,
    ) -> int:
        """The fingerprint of an event: by its record's uuid, else its call, else its text."""
        if record.uuid:
            return hash64(f"{record.uuid}:{index}".encode())
        if call_id:
            return hash64(f"{call_id}:{kind}".encode())
        identity = hash64(f"{kind}:{record.timestamp}:{text}".encode())
        if kind == OTHER:
            return identity
        repeated = hash64(f"{session.id}:{identity}".encode())
        nth = self._repeats.get(repeated, 0)
        self._repeats[repeated] = nth + 1
        return hash64(f"{identity}:{nth}".encode())

    def _take_client(
        self,
        session: SessionDraft,
        record: ClaudeRecord,
        ts: int | None,
        position: int,
        raw: JsonObject,
    ) -> int:
        """A record of the client itself: a notice, a compaction, an attachment, bookkeeping."""
        kind, role = SYSTEM, None
        attachment = raw.get("attachment")
        if record.type == "system":
            if record.subtype == "compact_boundary":
                kind = COMPACTION
            text = client_text(raw)
        elif record.type == "attachment" and isinstance(attachment, dict):
            for text in instructions_in(attachment):
                session.saw_instructions(str(attachment["type"]), ts, text)
            prompt = queued_prompt(attachment)
            if prompt is None or self._queue.is_repeated(prompt):
                text = client_text(raw)
            else:
                kind, role, text = PROMPT, "user", prompt
        else:
            kind, text = OTHER, f"{record.type}: {client_text(raw)}"
            if record.type == "queue-operation":
                return self._take_queue(session, record, ts, position, raw, text)
        self._take_text(session, record, ts, position, 0, kind, role, text)
        return self._deliver(session, position, 1, text) if kind == PROMPT else 1

    def _take_queue(
        self,
        session: SessionDraft,
        record: ClaudeRecord,
        ts: int | None,
        position: int,
        raw: JsonObject,
        text: str,
    ) -> int:
        """A record of the queue: what a person typed in it is a prompt when it is handed over."""
        queue, operation, typed = self._queue, raw.get("operation"), queued_text(raw)
        if operation == "enqueue" and typed:
            identity = self._identity(session, record, 0, OTHER, None, text)
            record_text = redact(without_nul(text))
            queue.enqueue(Queued(session.id, identity, ts, record_text, redact(typed)))
            return 0
        self._take_text(session, record, ts, position, 0, OTHER, None, text)
        if operation == "remove":
            handed_over = queue.hand_over(session.id, typed)
            if handed_over is not None:
                self._put_queued(session, handed_over, position + 1, PROMPT)
            return 2
        if operation == "popAll":
            return self._put_back(session, queue.take_back(session.id), position, 1)
        return 1

    def _deliver(self, session: SessionDraft, position: int, slot: int, prompt: str) -> int:
        """Keep the queue's records of what a prompt brings as what they are; return the slot."""
        return self._put_back(session, self._queue.deliver(session.id, prompt), position, slot)

    def _put_back(
        self, session: SessionDraft, queued: list[Queued], position: int, slot: int
    ) -> int:
        for one in queued:
            self._put_queued(session, one, position + min(slot, BLOCKS_PER_LINE - 1), OTHER)
            slot += 1
        return slot

    @staticmethod
    def _put_queued(session: SessionDraft, queued: Queued, position: int, kind: int) -> None:
        """Add what waited in the queue: a prompt of the time at which it was typed, or a record."""
        role, text = (QUEUED_ROLE, queued.text) if kind == PROMPT else (None, queued.settled())
        session.add(_text_event(queued.fingerprint, position, queued.ts, kind, role, text))


def _text_event(
    fingerprint: int, position: int, ts: int | None, kind: int, role: str | None, text: str
) -> EventTuple:
    """An event that is nothing but a text."""
    shown = without_nul(text)
    return fingerprint, position, ts, kind, False, role, None, None, None, None, shown, None


def _read_alone(item: FoundObject) -> tuple[ClaudeRecord, JsonObject]:
    """A record from a line that was refused as a whole; by itself it may be valid."""
    text = item.text.encode("utf-8", "surrogatepass")
    try:
        record = decode_record(text)
        return record, {} if record.type in _TYPED else _untyped(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raw = cast(JsonObject, valid_json(item.value))
        return lenient_record(raw), raw


def _untyped(line: bytes) -> JsonObject:
    raw = msgspec.json.decode(line)
    return raw if isinstance(raw, dict) else {}
