"""kimi-cli's sessions for Helix: a log of lines to which it only ever appends."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from helix_tui.capture.adapters import PartFile, PlainAdapter
from helix_tui.capture.draft import UnitDraft
from helix_tui.schema import PROMPT, REPLY, THINKING, TOOL_CALL, TOOL_RESULT, UsageClaim


class KimiAdapter(PlainAdapter):
    """Finds `sessions/<md5 of the folder>/<session>/wire.jsonl`."""

    flavor = "kimi"

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        return [PartFile("wire.jsonl", unit="/".join(path))] if "wire.jsonl" in names else ()

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> KimiReader:
        return KimiReader(unit.rpartition("/")[2], state)


class KimiReader:
    """Reads lines as they come; between two sweeps it remembers how many usages there were."""

    def __init__(self, name: str, state: bytes) -> None:
        self.name = name
        self.usages = int(state or 0)

    def state(self) -> bytes:
        return str(self.usages).encode()

    def restart(self, part: str) -> None:
        self.usages = 0

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        raise AssertionError("a log is no document")

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        for line in lines:
            try:
                record = json.loads(line or b"{}")
            except ValueError:
                draft.problem(offset, "a line that is no JSON")
                record = {}
            if "message" in record:
                ts = int(record["timestamp"] * 1000)
                self._take(draft, record["message"], ts, offset * 1024)
            offset += len(line) + 1

    def _take(self, draft: UnitDraft, message: dict[str, Any], ts: int, at: int) -> None:
        session, payload = draft.session(self.name), message["payload"]
        session.saw_time(ts)
        kind = message["type"]
        if kind == "TurnBegin":
            session.put(at, ts, PROMPT, payload["user_input"], role="user")
        elif kind == "ContentPart" and payload["type"] in ("text", "think"):
            said = REPLY if payload["type"] == "text" else THINKING
            session.put(at, ts, said, payload[payload["type"]], role="assistant")
        elif kind == "ToolCall":
            function = payload["function"]
            given, tool = function["arguments"], function["name"]
            session.put(at, ts, TOOL_CALL, given, tool=tool, call_id=payload["id"])
        elif kind == "ToolResult":
            value = payload["return_value"]
            call, failed = payload["tool_call_id"], value["is_error"]
            session.put(at, ts, TOOL_RESULT, value["output"], call_id=call, is_error=failed)
        elif kind == "StatusUpdate" and payload.get("token_usage"):
            usage = payload["token_usage"]
            claim = UsageClaim(f"{self.name}:{self.usages}", ts, None, usage["input_other"])
            claim.output, claim.cache_read = usage["output"], usage["input_cache_read"]
            claim.cache_write = usage["input_cache_creation"]
            session.claim(claim)
            self.usages += 1
