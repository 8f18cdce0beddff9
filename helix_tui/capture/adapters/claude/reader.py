"""Turns Claude Code's records into events, usage and facts of their sessions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

import msgspec

from helix_tui.capture.adapters.claude.prompts import (
    IMAGE,
    block_text,
    human_blocks,
    is_human,
    result_text,
)
from helix_tui.capture.adapters.claude.records import (
    Block,
    Message,
    Record,
    compact_json,
    decode_record,
    lenient_record,
)
from helix_tui.capture.draft import Draft, SessionDraft
from helix_tui.capture.salvage import Found, JsonObject, salvage
from helix_tui.schema import (
    COMPACTION,
    OTHER,
    PROMPT,
    REPLY,
    SYSTEM,
    THINKING,
    TICKS_PER_USD,
    TOOL_CALL,
    TOOL_RESULT,
    UsageClaim,
)
from helix_tui.text.hashing import hash64
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import valid_json, without_nul

BLOCKS_PER_LINE = 1024
# No message costs so much; sums of such figures must still fit an integer of the database.
MAX_TOKENS = 1 << 40
MAX_USD = 100_000
SYNTHETIC = "<synthetic>"
NO_SESSION = "a record whose sessionId is no name"
# Records of which the typed fields say everything; of others the rest is kept as well.
_TYPED = frozenset(("user", "assistant", "progress"))
_EXIT_CODE = re.compile(r"(?:Error: )?Exit code (\d{1,5})\b")
# What every record repeats, left out where the rest of a record is kept as JSON.
_ENVELOPE = frozenset(
    (
        "type",
        "uuid",
        "parentUuid",
        "logicalParentUuid",
        "sessionId",
        "timestamp",
        "cwd",
        "gitBranch",
        "version",
        "isSidechain",
        "userType",
        "slug",
        "entrypoint",
        "agentId",
        "isMeta",
    )
)


class ClaudeReader:
    """Reads one file; remembers the roots of inline sidechains and repeated records."""

    def __init__(self, path: str, state: bytes) -> None:
        name = path.rpartition("/")[2].removesuffix(".jsonl")
        self._file_agent = name.removeprefix("agent-") if name.startswith("agent-") else None
        self._roots: dict[str, str] = {}
        self._repeats: dict[int, int] = {}
        if state:
            memory = msgspec.msgpack.decode(state, type=tuple[dict[str, str], dict[int, int]])
            self._roots, self._repeats = memory

    def state(self) -> bytes:
        """The memory that the next reader of this file needs."""
        if not self._roots and not self._repeats:
            return b""
        return msgspec.msgpack.encode((self._roots, self._repeats))

    def restart(self, part: str) -> None:
        """Forgets everything: the file is read again."""
        self._roots.clear()
        self._repeats.clear()

    def read_document(self, part: str, content: bytes, draft: Draft) -> None:
        """Claude Code keeps no documents."""
        raise AssertionError(f"no part of a Claude log is a document: {part}")

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: Draft) -> None:
        """Takes complete lines; one that cannot be read costs itself only."""
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
            offset += len(line) + 1

    def _read_refused(self, line: bytes, offset: int, draft: Draft) -> None:
        objects, reason = salvage(line)
        slot = 0
        for found in objects:
            try:
                record, raw = _read_alone(found)
            except RecursionError:
                reason = "JSON nested too deeply"
                continue
            if record.session_id:
                slot = self._take(record, raw, offset, slot, draft)
            elif "sessionId" in found.value:
                reason = NO_SESSION
        if reason:
            draft.problem(offset, reason)

    def _take(self, record: Record, raw: JsonObject, offset: int, slot: int, draft: Draft) -> int:
        """Adds one record to its session; returns the slot after its last event on the line."""
        session = self._session_of(record, draft)
        ts = parse_iso(record.timestamp) if record.timestamp else None
        if ts is not None:
            session.saw_time(ts)
            if record.cwd and (session.cwd is None or ts <= session.cwd.ts):
                session.saw_cwd(ts, without_nul(record.cwd))
            if record.git_branch and (session.branch is None or ts <= session.branch.ts):
                session.saw_branch(ts, without_nul(record.git_branch))
        kind = record.type
        if kind == "progress":
            return slot  # a copy of what the sub-agent's or the tool's own record holds
        adder = _Adder(self, session, record, ts, offset * BLOCKS_PER_LINE + slot)
        if kind == "assistant":
            adder.assistant(record.message)
        elif kind == "user":
            adder.user(record.message)
        else:
            try:
                adder.client(raw)
            except RecursionError:
                draft.problem(offset, "JSON nested too deeply")
        return min(slot + adder.count, BLOCKS_PER_LINE - 1)

    def _session_of(self, record: Record, draft: Draft) -> SessionDraft:
        native = without_nul(record.session_id or "")
        if not record.is_sidechain and self._file_agent is None:
            return draft.session(native)
        agent = record.agent_id or self._file_agent or self._sidechain_root(record)
        return draft.session(f"{native}.{without_nul(agent)}", f"{draft.flavor}:{native}")

    def _sidechain_root(self, record: Record) -> str:
        """The uuid of the first record of an inline sidechain, by the chain of parents."""
        uuid = record.uuid or record.parent_uuid or "sidechain"
        root = self._roots.get(record.parent_uuid or "", uuid)
        self._roots[uuid] = root
        return root

    def nth_repeat(self, identity: int) -> int:
        """How often a record without any id of its own came in this file before."""
        count = self._repeats.get(identity, 0)
        self._repeats[identity] = count + 1
        return count


class _Adder:
    """Adds the events of one record."""

    __slots__ = ("_position", "_reader", "_record", "_session", "_ts", "count")

    def __init__(
        self,
        reader: ClaudeReader,
        session: SessionDraft,
        record: Record,
        ts: int | None,
        position: int,
    ) -> None:
        self._reader = reader
        self._session = session
        self._record = record
        self._ts = ts
        self._position = position
        self.count = 0

    def _add(
        self,
        index: int,
        kind: int,
        role: str | None,
        text: str,
        *,
        is_error: bool = False,
        tool: str | None = None,
        call_id: str | None = None,
        exit_code: int | None = None,
        message_id: str | None = None,
    ) -> None:
        uuid = self._record.uuid
        if uuid:
            identity = hash64(f"{uuid}:{index}".encode())
        elif call_id:
            identity = hash64(f"{call_id}:{kind}".encode())
        else:
            identity = hash64(f"{kind}:{self._record.timestamp}:{text}".encode())
            if kind != OTHER:
                nth = self._reader.nth_repeat(hash64(f"{self._session.id}:{identity}".encode()))
                identity = hash64(f"{identity}:{nth}".encode())
        self._session.add(
            (
                identity,
                self._position + min(index, BLOCKS_PER_LINE - 1),
                self._ts,
                kind,
                is_error,
                role,
                tool,
                call_id,
                exit_code,
                message_id,
                without_nul(text),
            )
        )
        self.count = max(self.count, index + 1)

    def assistant(self, message: Message | None) -> None:
        """A reply: its blocks, and what the message cost."""
        if message is None:
            return
        is_client_made = message.model == SYNTHETIC or self._record.is_api_error is True
        if not is_client_made:
            self._claim(message)
        content = message.content
        if isinstance(content, str):
            content = [Block(type="text", text=content)]
        for index, block in enumerate(content or ()):
            if is_client_made:
                self._add(index, SYSTEM, "assistant", block_text(block))
            else:
                self._assistant_block(index, block, message.id)

    def _assistant_block(self, index: int, block: Block, message_id: str | None) -> None:
        kind = block.type
        if kind == "text":
            self._add(index, REPLY, "assistant", block.text or "", message_id=message_id)
        elif kind == "tool_use" or kind.endswith("_tool_use"):
            self._add(
                index,
                TOOL_CALL,
                "assistant",
                bytes(block.input).decode("utf-8", "replace"),
                tool=without_nul(block.name or ""),
                call_id=block.id,
                message_id=message_id,
            )
        elif kind in ("thinking", "redacted_thinking"):
            self._add(index, THINKING, "assistant", block.thinking or "", message_id=message_id)
        elif kind.endswith("tool_result"):
            self._result(index, block)
        else:
            self._add(index, OTHER, "assistant", block.text or f"[{kind}]", message_id=message_id)

    def _claim(self, message: Message) -> None:
        model = without_nul(message.model) if message.model else None
        if model and self._ts is not None:
            self._session.saw_model(self._ts, model)
        usage = message.usage
        key = message.id or self._record.uuid
        if usage is None or not key:
            return
        written = _tokens(usage.cache_creation_input_tokens)
        kept = usage.cache_creation
        self._session.claim(
            UsageClaim(
                without_nul(key),
                self._ts,
                model,
                _tokens(usage.input_tokens),
                _tokens(usage.output_tokens),
                _tokens(usage.cache_read_input_tokens),
                written,
                cost_ticks=_ticks(self._record.cost_usd),
                cache_write_1h=min(_tokens(kept.ephemeral_1h_input_tokens), written) if kept else 0,
            )
        )

    def user(self, message: Message | None) -> None:
        """What a person asked, a tool answered or the client put in their mouths."""
        if message is None or message.content is None:
            return
        record = self._record
        is_injected = record.is_meta is True or record.is_compact_summary is True
        content = message.content
        if isinstance(content, str):
            is_prompt = not is_injected and is_human(content)
            self._add(0, PROMPT if is_prompt else SYSTEM, "user", content)
            return
        human = [] if is_injected else human_blocks(content)
        if human:
            text = "\n\n".join(block_text(content[index]) for index in human)
            self._add(human[0], PROMPT, "user", text)
        for index, block in enumerate(content):
            if block.type == "tool_result":
                self._result(index, block)
            elif index not in human:
                self._add(index, SYSTEM, "user", block_text(block) or f"[{block.type}]")

    def _result(self, index: int, block: Block) -> None:
        text = result_text(block.content)
        is_error = block.is_error is True
        exit_code = _EXIT_CODE.match(text) if is_error else None
        self._add(
            index,
            TOOL_RESULT,
            "tool",
            text,
            is_error=is_error,
            call_id=block.tool_use_id,
            exit_code=int(exit_code[1]) if exit_code else None,
        )

    def client(self, raw: JsonObject) -> None:
        """What the client itself wrote down: notices, compactions, attachments, bookkeeping."""
        record = self._record
        if record.type == "system":
            kind = COMPACTION if record.subtype == "compact_boundary" else SYSTEM
            self._add(0, kind, None, _client_text(raw))
            return
        attachment = raw.get("attachment")
        if record.type == "attachment" and isinstance(attachment, dict):
            self._attachment(attachment, raw)
            return
        self._add(0, OTHER, None, f"{record.type}: {_client_text(raw)}")

    def _attachment(self, attachment: dict[str, Any], raw: JsonObject) -> None:
        if attachment.get("type") == "queued_command":
            prompt = lenient_record({"message": {"content": attachment.get("prompt")}}).message
            content = prompt.content if prompt else None
            blocks = [Block(type="text", text=content)] if isinstance(content, str) else content
            human = human_blocks(blocks or [])
            if human and blocks and attachment.get("commandMode") in (None, "prompt"):
                text = "\n\n".join(block_text(blocks[index]) for index in human)
                self._add(0, PROMPT, "user", text)
                return
        self._add(0, SYSTEM, None, _client_text(raw))


def _tokens(count: int | None) -> int:
    return min(max(count or 0, 0), MAX_TOKENS)


def _ticks(usd: float | None) -> int | None:
    """What the client recorded, unless it is no amount that a message can cost."""
    return round(usd * TICKS_PER_USD) if usd is not None and 0 <= usd <= MAX_USD else None


def _read_alone(found: Found) -> tuple[Record, JsonObject]:
    """A record of a line that as a whole was refused; by itself it may be as good as any."""
    text = found.text.encode("utf-8", "surrogatepass")
    try:
        record = decode_record(text)
        return record, {} if record.type in _TYPED else _untyped(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raw = cast(JsonObject, valid_json(found.value))
        return lenient_record(raw), raw


def _untyped(line: bytes) -> JsonObject:
    raw = msgspec.json.decode(line)
    return raw if isinstance(raw, dict) else {}


def _client_text(raw: JsonObject) -> str:
    """The words of a client's record, else what it holds beyond the envelope, as JSON."""
    rest = {key: value for key, value in raw.items() if key not in _ENVELOPE}
    content = rest.pop("content", None)
    if isinstance(content, str) and not rest.keys() - {"subtype", "level"}:
        return content
    if content is not None:
        rest["content"] = _without_images(content)
    return compact_json(_without_images(rest))


def _without_images(value: object) -> object:
    """The value with the data of pictures left out."""
    if isinstance(value, list):
        return [_without_images(item) for item in value]
    if isinstance(value, dict):
        if value.get("type") == "image":
            return IMAGE
        return {key: _without_images(item) for key, item in value.items()}
    return value
