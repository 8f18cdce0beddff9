"""Read a rollout: which session it is, and which of its records are its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from helix_tui.capture.adapters.codex.events import COPIES, Adder, CodexState
from helix_tui.capture.adapters.codex.records import CodexRecord, decode_record
from helix_tui.capture.adapters.codex.replay import HeldRecord, parent_of, replay_of
from helix_tui.capture.adapters.lenient import any_json, lenient, read_alone
from helix_tui.capture.draft import UnitDraft, put_link
from helix_tui.capture.salvage import salvage
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import without_nul

SLOTS_PER_LINE = 1024
_THREAD = re.compile(r"rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?([^_]+)")


class CodexReader:
    """Read one rollout."""

    def __init__(self, stem: str, state: bytes) -> None:
        self._stem = stem
        self._memory = msgspec.msgpack.decode(state, type=CodexState) if state else CodexState()
        self._stamp: str | None = None
        self._ts: int | None = None

    def state(self) -> bytes:
        """The memory that the next reader of this rollout needs."""
        return msgspec.msgpack.encode(self._memory)

    def restart(self, part: str) -> None:
        """Forget everything: the rollout is read again."""
        self._memory = CodexState()

    def project(self) -> str:
        """The folder that the session worked in, once it is known."""
        return self._memory.project

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """Codex keeps no documents."""
        raise AssertionError(f"no part of a rollout is a document: {part}")

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines; an unreadable one costs nothing but itself."""
        for line in lines:
            try:
                record = decode_record(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                if line and not line.isspace():
                    self._read_refused(line, offset, draft)
            else:
                self._take(record, line, offset, 0, draft)
            offset += len(line) + 1

    def _read_refused(self, line: bytes, offset: int, draft: UnitDraft) -> None:
        objects, reason = salvage(line)
        for slot, item in enumerate(objects[:SLOTS_PER_LINE]):
            try:
                text = item.text.encode("utf-8", "replace")
                self._take(read_alone(item, CodexRecord), text, offset, slot, draft)
            except RecursionError:
                reason = "JSON nested too deeply"
        if reason:
            draft.problem(offset, reason)

    def _take(
        self, record: CodexRecord, text: bytes, offset: int, slot: int, draft: UnitDraft
    ) -> None:
        """Add one record to the session, unless it is its parent's."""
        memory = self._memory
        if record.timestamp != self._stamp:
            # Records are written several at a time and then share their stamp.
            self._stamp = record.timestamp
            self._ts = parse_iso(record.timestamp) if record.timestamp else None
        ts = self._ts
        if not memory.native_id:
            self._begin(record, ts, is_first=offset == 0 and slot == 0)
        replay = memory.replay
        if replay is not None and replay.is_on and not self._is_own_meta(record):
            if record.type == "session_meta":
                replay.is_sure = True
                return
            verdict = replay.judge(record, ts)
            if verdict == "copy":
                self._count_copy(record)
                return
            if verdict == "held":
                replay.held.append(HeldRecord(offset, slot, text))
                return
            undecided, replay.held = replay.held, []
            for before in undecided:
                try:
                    own = decode_record(before.text)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    raw = any_json(before.text)
                    own = lenient(raw if isinstance(raw, dict) else {}, CodexRecord)
                self._take(own, before.text, before.offset, before.slot, draft)
        session = draft.sessions.get(memory.native_id)
        if session is None:
            parent = f"{draft.flavor}:{memory.parent}" if memory.parent else None
            session = draft.session(memory.native_id, parent)
            if memory.forked_from:
                put_link(session, f"{draft.flavor}:{memory.forked_from}")
        if ts is not None:
            session.saw_time(ts)
        payload = record.payload
        if record.type == "event_msg" and payload is not None and payload.type in COPIES:
            return
        adder = Adder(memory, session, ts, offset * SLOTS_PER_LINE + slot)
        adder.record(record, text)

    def _begin(self, record: CodexRecord, ts: int | None, is_first: bool) -> None:
        """Name the session by its first record, else by its file."""
        memory = self._memory
        meta = record.payload if record.type == "session_meta" else record
        is_meta = record.type == "session_meta" or (record.type is None and not record.record_type)
        memory.began_ts = ts
        match = _THREAD.match(self._stem)
        memory.native_id = without_nul(match[1] if match else self._stem)
        if is_first and is_meta and meta is not None and meta.id:
            memory.native_id = without_nul(meta.id)
            parent = parent_of(meta)
            memory.parent = without_nul(parent) if parent else None
            memory.forked_from = without_nul(meta.forked_from_id or "")
            memory.replay = replay_of(meta, ts) if ts is not None else None

    def _is_own_meta(self, record: CodexRecord) -> bool:
        payload = record.payload
        return (
            record.type == "session_meta"
            and payload is not None
            and payload.id == self._memory.native_id
        )

    def _count_copy(self, record: CodexRecord) -> None:
        """A copied total was spent by the parent, but the child goes on counting from it."""
        payload = record.payload
        if payload and payload.info and payload.info.total_token_usage:
            self._memory.meter.advance(payload.info.total_token_usage, "", None, None)
