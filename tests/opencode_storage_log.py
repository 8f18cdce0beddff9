"""Writes sessions of OpenCode for tests as its old storage keeps them, a file for each row."""

from __future__ import annotations

import json
from pathlib import Path

from tests.claude_log import START, Json

SESSION = "ses_0000000000000000000001"


class OpenCodeStorageLog:
    """A session that is being written, message by message."""

    def __init__(self, session: str = SESSION, cwd: str = "/work/app", start: float = 0) -> None:
        self.session = session
        self.cwd = cwd
        self.second = start
        self.model = "some-model"
        self.records: list[Json] = []
        self._thought = ""
        self._parts: dict[str, Json] = {}
        self._began = self._now()

    def _now(self) -> int:
        return int((START + self.second) * 1000)

    def _message(self, parts: list[Json], **info: object) -> None:
        self.second += 1
        name = f"msg_{self.session}_{len(self.records):04}"
        whole = {"id": name, "sessionID": self.session, "time": {"created": self._now()}, **info}
        self.records.append({"info": whole, "parts": parts})

    def prompt(self, text: str = "fix the failing test") -> None:
        """What a person asks."""
        self._message([{"type": "text", "text": text}], role="user")

    def think(self, text: str) -> None:
        """What the model thinks comes with its next answer."""
        self._thought = text

    def _answer(self, *parts: Json) -> None:
        thoughts = [{"type": "reasoning", "text": self._thought}] if self._thought else []
        self._thought = ""
        tokens = {"input": 20, "output": 7, "reasoning": 0, "cache": {"read": 0, "write": 0}}
        self._message(
            [*thoughts, *parts],
            role="assistant",
            modelID=self.model,
            tokens=tokens,
            path={"cwd": self.cwd, "root": self.cwd},
        )

    def reply(self, text: str = "Done.") -> None:
        """What the agent says."""
        self._answer({"type": "text", "text": text})

    def call(self, tool: str = "bash", given: Json | None = None, text: str = "") -> str:
        """A tool's call; returns its id."""
        name = f"call_{self.session[-6:]}_{len(self.records)}"
        state = {"status": "running", "input": given or {"command": "ls"}}
        part: Json = {"type": "tool", "callID": name, "tool": tool, "state": state}
        self._parts[name] = part
        said = [{"type": "text", "text": text}] if text else []
        self._answer(*said, part)
        return name

    def result(self, call: str, text: str = "ok", code: int | None = None, error: str = "") -> None:
        """How a call ends; a command that fails is completed, with its code beside."""
        self.second += 1
        state = self._parts.pop(call)["state"]
        if error:
            state |= {"status": "error", "error": error}
        else:
            metadata = {"exit": code} if code is not None else {}
            state |= {"status": "completed", "output": text, "metadata": metadata}
        state["time"] = {"start": self._now(), "end": self._now()}

    def write(self, home: Path) -> Path:
        """Puts the session where OpenCode did."""
        storage = home / ".local" / "share" / "opencode" / "storage"
        head: Json = {"id": self.session, "directory": self.cwd, "title": "", "version": "1.1.0"}
        head["time"] = {"created": self._began, "updated": self._now()}
        path = _write(storage / "session" / "p" / f"{self.session}.json", head)
        for record in self.records:
            name = record["info"]["id"]
            _write(storage / "message" / self.session / f"{name}.json", record["info"])
            for number, part in enumerate(record["parts"]):
                own = f"prt_{name}_{number}"
                whole = {**part, "id": own, "messageID": name, "sessionID": self.session}
                _write(storage / "part" / name / f"{own}.json", whole)
        return path


def _write(path: Path, value: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))
    return path
