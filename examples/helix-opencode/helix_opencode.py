"""A fourth flavor for Helix: sessions that OpenCode exported, each one JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from helix_tui.capture.adapters import PartFile, PlainAdapter
from helix_tui.capture.draft import SessionDraft, UnitDraft
from helix_tui.schema import PROMPT, REPLY, THINKING, TOOL_CALL, TOOL_RESULT, UsageClaim

TICKS_PER_USD = 10**10


class OpenCodeAdapter(PlainAdapter):
    """Finds exported sessions: any `*.json` below a root."""

    flavor = "opencode"

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        return [PartFile(name, is_document=True) for name in names if name.endswith(".json")]

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> OpenCodeReader:
        return OpenCodeReader()


class OpenCodeReader:
    """Reads one document; it is read whole each time, so there is nothing to remember."""

    def state(self) -> bytes:
        return b""

    def restart(self, part: str) -> None:
        pass

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        raise AssertionError("an export has no lines")

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        try:
            export: dict[str, Any] = json.loads(content)
            info, messages = export["info"], export["messages"]
        except (ValueError, KeyError, TypeError) as error:
            draft.problem(0, f"not an exported session: {type(error).__name__}")
            return
        parent = info.get("parentID")
        session = draft.session(info["id"], parent and f"{draft.flavor}:{parent}")
        session.saw_cwd(info["time"]["created"], info["directory"])
        for number, message in enumerate(messages):
            self._message(session, message["info"], message["parts"], number * 1024)

    def _message(
        self, session: SessionDraft, info: dict[str, Any], parts: list[dict[str, Any]], at: int
    ) -> None:
        ts: int = info["time"]["created"]
        session.saw_time(ts)
        is_person = info["role"] == "user"
        if not is_person:
            session.saw_model(ts, info["modelID"])
            tokens, cache = info["tokens"], info["tokens"]["cache"]
            claim = UsageClaim(info["id"], ts, info["modelID"], tokens["input"])
            claim.output = tokens["output"] + tokens["reasoning"]
            claim.reasoning = tokens["reasoning"]
            claim.cache_read, claim.cache_write = cache["read"], cache["write"]
            claim.cost_ticks = round(info["cost"] * TICKS_PER_USD) if info.get("cost") else None
            session.claim(claim)
        for slot, part in enumerate(parts):
            name = part.get("id") or f"{info['id']}:{slot}"
            if part["type"] == "text":
                kind, role = (PROMPT, "user") if is_person else (REPLY, "assistant")
                session.put(at + slot, ts, kind, part["text"], name=name, role=role)
            elif part["type"] == "reasoning":
                session.put(at + slot, ts, THINKING, part["text"], name=name, role="assistant")
            elif part["type"] == "tool":
                call, state = part["callID"], part["state"]
                given = json.dumps(state.get("input", {}))
                session.put(at + slot, ts, TOOL_CALL, given, tool=part["tool"], call_id=call)
                if state["status"] in ("completed", "error"):
                    said = state.get("output") or state.get("error") or ""
                    failed = state["status"] == "error"
                    ended = state["time"]["end"]
                    session.put(at + slot, ended, TOOL_RESULT, said, call_id=call, is_error=failed)
