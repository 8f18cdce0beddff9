"""`session_index.jsonl`: what Codex calls its threads."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from helix_tui.capture.adapters.fields import compact_json
from helix_tui.capture.draft import UnitDraft
from helix_tui.schema import OTHER
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import without_nul

SLOTS_PER_LINE = 1024


class _Thread(msgspec.Struct, gc=False):
    id: str | None = None
    thread_name: str | None = None
    updated_at: str | None = None


_decode = msgspec.json.Decoder(_Thread).decode


class CodexIndexReader:
    """Read the names of threads; each is a record of its session, the latest one counts."""

    def state(self) -> bytes:
        """There is nothing to remember."""
        return b""

    def restart(self, part: str) -> None:
        """There is nothing to forget."""

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """Codex keeps no documents."""
        raise AssertionError(f"the index of threads is no document: {part}")

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines; an unreadable one costs nothing but itself."""
        for line in lines:
            if line and not line.isspace():
                try:
                    self._take(_decode(line), offset, draft)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    draft.problem(offset, str(error))
            offset += len(line) + 1

    @staticmethod
    def _take(thread: _Thread, offset: int, draft: UnitDraft) -> None:
        if thread.id and thread.thread_name:
            ts = parse_iso(thread.updated_at) if thread.updated_at else None
            record = compact_json({"title": thread.thread_name, "by": "agent"})
            session = draft.session(without_nul(thread.id))
            session.put(offset * SLOTS_PER_LINE, ts, OTHER, f"title: {record}", name="title")
