"""OpenCode's database: a row for each session, message and part of a message."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from helix_tui.sample import steps as kinds
from helix_tui.sample.session import Json, Log, SampleSession, as_json

_VERSION = "1.18.3"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT,
  slug TEXT NOT NULL, directory TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL,
  revert TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL,
  time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL,
  session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL,
  data TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS message_session_time_created_id_idx
  ON message (session_id, time_created, id);
CREATE INDEX IF NOT EXISTS part_message_id_id_idx ON part (message_id, id);
"""
_REFUSED = "The user rejected permission to use this specific tool call."
_MISMATCH = "oldString not found in content"


class Rows(NamedTuple):
    """What one session adds to each table."""

    sessions: list[tuple[object, ...]]
    messages: list[tuple[object, ...]]
    parts: list[tuple[object, ...]]


class OpenCodeLog(Log):
    """A session that is being written."""

    def __init__(self, session: SampleSession, random: Random) -> None:
        super().__init__(session, random)
        self.native_id = self.name("ses_", 24)
        self._rows = Rows([], [], [])
        self._lead: list[Json] = []
        self._count = 0

    def rows(self) -> Rows:
        """All rows of the session."""
        began = self._ms()
        for step in self.session.steps:
            self._take(step)
        self._answer([])
        self._rows.sessions.append(
            (self.native_id, "sample", None, "sample", self.session.cwd, "", _VERSION, None, began,
             self._ms())
        )  # fmt: skip
        return self._rows

    def _ms(self) -> int:
        return int(self.now * 1000)

    def _take(self, step: kinds.Step) -> None:
        match step:
            case kinds.Ask(text):
                self._answer([])
                self.wait(25, 400)
                self.heard(text)
                self._message({"role": "user"}, [{"type": "text", "text": text}])
            case kinds.Say(text):
                self._lead.append({"type": "text", "text": text})
            case kinds.Think(text):
                self._lead.append({"type": "reasoning", "text": text})
            case kinds.Run() | kinds.Read() | kinds.Edit():
                self._call(step)
            case kinds.Together(runs):
                for run in runs:
                    self._call(run)
            case kinds.Interrupt():
                self._answer([])
                self.wait(2, 9)
                stopped = {"name": "MessageAbortedError", "data": {"message": "Aborted"}}
                self._message(self._told(""), [], error=stopped)
            case kinds.Compact(summary):
                self._answer([])
                self.shrink()
                self._message({"role": "user"}, [{"type": "compaction", "auto": True}])
                self._message({**self._told(summary), "summary": True}, [_text(summary)])
            case kinds.ApiError(message):
                self._answer([])
                self.wait(5, 30)
                failed = {"name": "APIError", "data": {"message": message}}
                self._message(self._told(""), [], error=failed)
            case kinds.Delegate(_, _, steps, answer):
                for inner in (*steps, kinds.Say(answer)):
                    self._take(inner)

    def _told(self, said: str) -> Json:
        cached, fresh, written = self.spend(said)
        tokens = {"input": fresh, "output": written, "reasoning": written // 4}
        total = cached + fresh + written + written // 4
        return {
            "role": "assistant",
            "modelID": self.session.model,
            "providerID": "opencode",
            "tokens": {**tokens, "cache": {"read": cached, "write": 0}, "total": total},
        }

    def _answer(self, more: list[Json]) -> None:
        parts, self._lead = [*self._lead, *more], []
        if parts:
            self.wait(1.5, 9)
            self._message(self._told(as_json(parts)), parts)

    def _message(self, data: Json, parts: Sequence[Json], **more: object) -> None:
        self._count += 1
        now = self._ms()
        # In the order of their making, as the agent's own ids are.
        name = f"msg_{self._count:04d}{self.native_id[4:]}"
        whole = {**data, "time": {"created": now}, **more}
        self._rows.messages.append((name, self.native_id, now, now, as_json(whole)))
        for number, part in enumerate(parts):
            self._rows.parts.append(
                (f"prt_{number:02d}{name[4:]}", name, self.native_id, now, now, as_json(part))
            )

    def _call(self, tool: kinds.Tool) -> None:
        began = self._ms()
        self.wait(0.1, 2.5)
        self.now += tool.seconds if isinstance(tool, kinds.Run) else 0
        state: Json = {"input": self._input(tool), "time": {"start": began, "end": self._ms()}}
        output, error = self._result(tool)
        self.heard(output or error)
        if error:
            state |= {"status": "error", "error": error}
        else:
            code = {"exit": tool.code} if isinstance(tool, kinds.Run) else {}
            state |= {"status": "completed", "output": output, "metadata": code}
        call = {"type": "tool", "callID": self.name("call_", 20), "tool": _name_of(tool)}
        self._answer([{**call, "state": state}])

    def _input(self, tool: kinds.Tool) -> Json:
        if isinstance(tool, kinds.Run):
            return {"command": tool.command, "description": f"Run {tool.command.split()[0]}"}
        path = f"{self.session.cwd}/{tool.path}"
        if isinstance(tool, kinds.Read):
            return {"filePath": path}
        return {"filePath": path, "oldString": tool.old, "newString": tool.new}

    def _result(self, tool: kinds.Tool) -> tuple[str, str]:
        """The output, or the error of a call that never came to one."""
        match tool:
            case kinds.Run(fault="refused"):
                return "", _REFUSED
            case kinds.Run():
                return tool.output, ""
            case kinds.Read():
                return f"<file>\n{self.numbered(tool.text)}\n</file>", ""
            case kinds.Edit(fault="") | _:
                return ("", _MISMATCH) if tool.fault else ("Edit applied successfully.", "")


def write_database(path: Path, sessions: Sequence[Rows]) -> None:
    """Add sessions to the one database that has all, as the agent leaves it when it ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(_SCHEMA)
        for rows in sessions:
            for table, some in zip(("session", "message", "part"), rows, strict=True):
                marks = ", ".join("?" * len(some[0])) if some else ""
                database.executemany(f"INSERT INTO {table} VALUES ({marks})", some)


def _text(said: str) -> Json:
    return {"type": "text", "text": said}


def _name_of(tool: kinds.Tool) -> str:
    if isinstance(tool, kinds.Run):
        return "bash"
    return "read" if isinstance(tool, kinds.Read) else "edit"
