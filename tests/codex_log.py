"""Writes Codex rollouts for tests, record by record, in the new form and in the old one."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import zstandard

from tests.claude_log import Json, as_line, moment

THREAD = "0199aaaa-0000-7000-8000-000000000001"
CHILD = "0199bbbb-0000-7000-8000-000000000002"
GRANDCHILD = "0199cccc-0000-7000-8000-000000000003"
DAY = "2026/02/02"


def totals(fresh: int = 0, cached: int = 0, out: int = 0, reasoning: int = 0) -> Json:
    """Running totals as Codex counts them: input with what was cached, output with reasoning."""
    return {
        "input_tokens": fresh + cached,
        "cached_input_tokens": cached,
        "output_tokens": out,
        "reasoning_output_tokens": reasoning,
        "total_tokens": fresh + cached + out,
    }


def headed(exit_code: int, output: str) -> str:
    """An output with the head that Codex writes before what a command printed."""
    return (
        f"Chunk ID: c0ffee\nWall time: 0.1 seconds\nProcess exited with code {exit_code}\n"
        f"Original token count: 9\nOutput:\n{output}"
    )


def wrapped(exit_code: int, output: str) -> str:
    """An output in the JSON form, the exit code beside it."""
    metadata = {"exit_code": exit_code, "duration_seconds": 0.1}
    return json.dumps({"output": output, "metadata": metadata}, separators=(",", ":"))


class CodexLog:
    """A rollout that is being written; each method appends a record and returns it."""

    def __init__(
        self, session: str = THREAD, cwd: str = "/work/app", start: float = 0, **meta: Any
    ) -> None:
        self.session = session
        self.cwd = cwd
        self.second = start
        self.records: list[Json] = []
        self._count = 0
        self._spent = totals()
        self.ordinal: int | None = None
        self.meta(**meta)

    def add(self, kind: str, payload: Json, **fields: Any) -> Json:
        """Appends a record, a second after the one before; a field set to None is left out."""
        self.second += 1
        record = {"timestamp": moment(self.second), "type": kind, "payload": payload, **fields}
        if self.ordinal is not None:
            record["ordinal"] = self.ordinal
            self.ordinal += 1
        record = {key: value for key, value in record.items() if value is not None}
        self.records.append(record)
        return record

    def meta(self, session: str = "", **fields: Any) -> Json:
        """What the rollout says of its session."""
        payload: Json = {
            "id": session or self.session,
            "timestamp": moment(self.second),
            "cwd": self.cwd,
            "originator": "codex_cli_rs",
            "cli_version": "0.142.0",
            "source": "cli",
            "git": {"branch": "main"},
        }
        return self.add("session_meta", {**payload, **fields})

    def item(self, kind: str, /, **fields: Any) -> Json:
        """Something the model was told, said or did."""
        return self.add("response_item", {"type": kind, **fields})

    def event(self, kind: str, /, **fields: Any) -> Json:
        """Something the client noted down."""
        return self.add("event_msg", {"type": kind, **fields})

    def turn(self, model: str = "gpt-5.2-codex", cwd: str = "") -> None:
        """Begins a turn."""
        self.event("task_started", model_context_window=272_000)
        self.add("turn_context", {"cwd": cwd or self.cwd, "model": model})

    def message(self, role: str, text: str) -> Json:
        """A message as the model sees it."""
        kind = "output_text" if role == "assistant" else "input_text"
        return self.item("message", role=role, content=[{"type": kind, "text": text}])

    def prompt(self, text: str = "fix the failing test", **fields: Any) -> Json:
        """What a person asks, as the model is told and as the client notes it."""
        self.message("user", text)
        return self.event("user_message", message=text, **fields)

    def reply(self, text: str = "Done.") -> Json:
        """What the agent says, noted twice as well."""
        self.event("agent_message", message=text)
        return self.message("assistant", text)

    def call(self, tool: str = "shell", call: str = "", given: object = None) -> str:
        """A tool's call; returns its id."""
        self._count += 1
        name = call or f"call_{self.session[:8]}_{self._count}"
        arguments = given if isinstance(given, str) else json.dumps(given or {"command": ["ls"]})
        self.item("function_call", name=tool, arguments=arguments, call_id=name)
        return name

    def output(self, call: str, output: object = "ok", kind: str = "function_call") -> Json:
        """A tool's answer."""
        return self.item(f"{kind}_output", call_id=call, output=output)

    def step(self, output: object = "ok", tool: str = "shell", given: object = None) -> None:
        """A call and its answer."""
        self.output(self.call(tool, given=given), output)

    def tokens(self, total: Json | None, last: Json | None = None) -> Json:
        """The running totals, or nothing where they are not known yet."""
        info = total and {"total_token_usage": total, "last_token_usage": last or total}
        return self.event("token_count", info=info, rate_limits=None)

    def spend(self, fresh: int = 0, cached: int = 0, out: int = 0, reasoning: int = 0) -> Json:
        """Raises the running totals and notes them down."""
        for name, count in totals(fresh, cached, out, reasoning).items():
            self._spent[name] += count
        return self.tokens(dict(self._spent))

    def replay(self, parent: CodexLog, *, stamp: float | None = 0.001) -> None:
        """Repeats another rollout's records, stamped anew in one burst or, with None, as they were.

        The child then goes on counting tokens from where the parent was.
        """
        for record in copy.deepcopy(parent.records):
            if stamp is not None:
                self.second += stamp
                record["timestamp"] = moment(self.second)
            if self.ordinal is not None:
                record["ordinal"] = self.ordinal
                self.ordinal += 1
            self.records.append(record)
        self._spent = dict(parent._spent)

    def lines(self) -> list[bytes]:
        """The records as lines."""
        return [as_line(record) for record in self.records]

    def text(self) -> bytes:
        """The whole file."""
        return b"".join(self.lines())

    def write(
        self,
        home: Path,
        *,
        day: str = DAY,
        name: str = "",
        is_archived: bool = False,
        is_compressed: bool = False,
    ) -> Path:
        """Puts the rollout where Codex would."""
        name = name or f"rollout-{day.replace('/', '-')}T10-00-00-{self.session}"
        folder = Path("archived_sessions") if is_archived else Path("sessions", day)
        path = home / ".codex" / folder / f"{name}.jsonl{'.zst' if is_compressed else ''}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(compressed(self.text()) if is_compressed else self.text())
        return path


class OldCodexLog(CodexLog):
    """A rollout of the old form: bare items without times, and states between them."""

    def meta(self, session: str = "", **fields: Any) -> Json:
        """The first line, which has no type."""
        self.second += 1
        record = {"id": session or self.session, "timestamp": moment(self.second)}
        self.records.append({**record, "instructions": None, "git": {"branch": "main"}, **fields})
        return self.records[-1]

    def add(self, kind: str, payload: Json, **fields: Any) -> Json:
        """Appends the bare item and a state; there are no events."""
        if kind == "response_item":
            self.records += [payload, {"record_type": "state"}]
        return payload


def compressed(text: bytes) -> bytes:
    """A rollout as Codex compresses it."""
    return zstandard.ZstdCompressor().compress(text)
