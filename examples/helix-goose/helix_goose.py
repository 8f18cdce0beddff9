"""Goose's sessions for Helix: all of them in one SQLite database, whose rows may change."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from helix_tui.capture.adapters import DatabaseReads, PartFile, PlainAdapter, Query, Row
from helix_tui.capture.draft import SessionDraft, UnitDraft, put_title
from helix_tui.schema import PROMPT, REPLY, THINKING, TOOL_CALL, TOOL_RESULT, UsageClaim

# A session by its id, the number of its rows, and what else differs when one of these changed.
UNITS = """
SELECT s.id, count(m.id), s.updated_at, max(m.id), total(length(m.content_json))
FROM sessions s LEFT JOIN messages m ON m.session_id = s.id GROUP BY s.id
"""
SESSION = Query(
    "session",
    "SELECT id, name, working_dir, created_at, accumulated_input_tokens, "
    "accumulated_output_tokens, model_config_json FROM sessions WHERE id = ?",
)
MESSAGES = Query(
    "message",
    "SELECT id, role, content_json, created_timestamp FROM messages WHERE session_id = ? "
    "ORDER BY created_timestamp, id",
)


class GooseAdapter(PlainAdapter):
    """Finds `sessions.db`, and names the two tables of it that are read."""

    flavor = "goose"

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        return [PartFile(name, is_database=True) for name in names if name == "sessions.db"]

    def database(self, name: str, tables: Mapping[str, Sequence[str]]) -> DatabaseReads | None:
        if "sessions" not in tables or "messages" not in tables:
            return None
        return DatabaseReads(("sessions", "messages"), UNITS, (SESSION, MESSAGES))

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> GooseReader:
        return GooseReader()


class GooseReader:
    """Reads the rows of one session, all of them each time, so there is nothing to remember."""

    name = ""

    def state(self) -> bytes:
        return b""

    def restart(self, part: str) -> None:
        pass

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        raise AssertionError("a database has no lines")

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        raise AssertionError("a database is no document")

    def read_rows(
        self, part: str, name: str, position: int, rows: Sequence[Row], draft: UnitDraft
    ) -> None:
        for number, row in enumerate(rows, position):
            if name == "session":
                self._session(draft, *row)
            else:
                self._message(draft.session(self.name), number * 1024, *row)

    def _session(
        self, draft: UnitDraft, name: str, title: str, cwd: str, created: str, *usage: Any
    ) -> None:
        self.name = name
        session = draft.session(name)
        ts = int(datetime.fromisoformat(created).replace(tzinfo=UTC).timestamp() * 1000)
        session.saw_cwd(ts, cwd)
        put_title(session, title, is_given=False)
        taken, given, model = usage
        # One sum for the whole session, which grows: a key of its own, and the largest counts.
        claim = UsageClaim(f"{name}:sum", ts, json.loads(model or "{}").get("model_name"))
        claim.input, claim.output, claim.requests = taken or 0, given or 0, 0
        session.claim(claim)
        if claim.model:
            session.saw_model(ts, claim.model)

    def _message(
        self, session: SessionDraft, at: int, key: int, role: str, content: str, seconds: int
    ) -> None:
        ts = seconds * 1000
        session.saw_time(ts)
        for slot, block in enumerate(json.loads(content)):
            name = f"{key}:{slot}"
            if block["type"] in ("text", "thinking"):
                spoken = PROMPT if role == "user" else REPLY
                kind, text = (spoken, "text") if block["type"] == "text" else (THINKING, "thinking")
                # A row may be changed in place: it is known by its id, whatever it says by now.
                session.put(at + slot, ts, kind, block[text], name=name, is_revised=True)
            elif block["type"] == "toolRequest":
                call = block["toolCall"]["value"]
                given = json.dumps(call["arguments"])
                session.put(at + slot, ts, TOOL_CALL, given, tool=call["name"], call_id=block["id"])
            elif block["type"] == "toolResponse":
                result = block["toolResult"]
                failed = result["status"] != "success"
                text = str(result["error"]) if failed else json.dumps(result["value"])
                session.put(at + slot, ts, TOOL_RESULT, text, call_id=block["id"], is_error=failed)
