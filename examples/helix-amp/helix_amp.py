"""Amp's threads for Helix: each is one JSON document, rewritten as a whole when it changes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from helix_tui.capture.adapters import PartFile, PlainAdapter
from helix_tui.capture.draft import SessionDraft, UnitDraft, put_title
from helix_tui.schema import PROMPT, REPLY, THINKING, TOOL_CALL, TOOL_RESULT, UsageClaim


class AmpAdapter(PlainAdapter):
    """Finds threads: any `*.json` below a root."""

    flavor = "amp"

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        return [PartFile(name, is_document=True) for name in names if name.endswith(".json")]

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> AmpReader:
        return AmpReader()


class AmpReader:
    """Reads one document; it is read whole each time, so there is nothing to remember."""

    def state(self) -> bytes:
        return b""

    def restart(self, part: str) -> None:
        pass

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        raise AssertionError("a thread has no lines")

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        try:
            thread: dict[str, Any] = json.loads(content)
            name, messages, ts = thread["id"], thread["messages"], thread["created"]
        except (ValueError, KeyError, TypeError) as error:
            draft.problem(0, f"not a thread: {type(error).__name__}")
            return
        session = draft.session(name)
        if thread.get("title"):
            put_title(session, thread["title"], is_given=False)
        for tree in thread.get("env", {}).get("initial", {}).get("trees", [])[:1]:
            session.saw_cwd(ts, tree["uri"].removeprefix("file://"))
        for number, message in enumerate(messages):
            # Only a person's message and what a request cost are dated.
            ts = message.get("meta", {}).get("sentAt", ts)
            session.saw_time(ts)
            if usage := message.get("usage"):
                self._usage(session, f"{name}:{number}", ts, usage)
            for slot, block in enumerate(message["content"]):
                self._block(session, message["role"], block, ts, number, slot)

    def _usage(self, session: SessionDraft, key: str, ts: int, usage: dict[str, Any]) -> None:
        claim = UsageClaim(key, ts, usage.get("model"), usage["inputTokens"])
        claim.output = usage["outputTokens"]
        claim.cache_read = usage.get("cacheReadInputTokens") or 0
        claim.cache_write = usage.get("cacheCreationInputTokens") or 0
        session.claim(claim)
        if claim.model:
            session.saw_model(ts, claim.model)

    def _block(
        self, session: SessionDraft, role: str, block: dict[str, Any], ts: int, nth: int, slot: int
    ) -> None:
        at, name = nth * 1024 + slot, f"{nth}:{slot}"
        if block["type"] == "text":
            kind = PROMPT if role == "user" else REPLY
            session.put(at, ts, kind, block["text"], name=name, role=role)
        elif block["type"] == "thinking":
            session.put(at, ts, THINKING, block["thinking"], name=name, role=role)
        elif block["type"] == "tool_use":
            given = json.dumps(block["input"])
            session.put(at, ts, TOOL_CALL, given, tool=block["name"], call_id=block["id"])
        elif block["type"] == "tool_result":
            run = block["run"]
            result = run.get("result")
            code = result.get("exitCode") if isinstance(result, dict) else None
            # The exit code first: a command that failed may be called done.
            failed = code != 0 if code is not None else run["status"] != "done"
            text = result if isinstance(result, str) else json.dumps(result)
            call = block["toolUseID"]
            session.put(at, ts, TOOL_RESULT, text, call_id=call, is_error=failed, exit_code=code)
