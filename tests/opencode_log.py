"""Writes sessions as OpenCode does: rows of its database, the files before it, or an export."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

START = 1_790_000_000_000
SCHEMA = """
CREATE TABLE project (id TEXT PRIMARY KEY, worktree TEXT NOT NULL, time_updated INTEGER NOT NULL);
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT,
  slug TEXT NOT NULL, directory TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL,
  revert TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL
  REFERENCES session (id) ON DELETE CASCADE, time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL
  REFERENCES message (id) ON DELETE CASCADE, session_id TEXT NOT NULL,
  time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE account (id TEXT PRIMARY KEY, access_token TEXT, refresh_token TEXT);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_session_idx ON part (session_id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
"""


def tokens(total: bool = True, **figures: int) -> dict[str, Any]:
    """What a message took, with the reasoning apart from the output."""
    of = {"input": 10, "output": 5, "reasoning": 2, "read": 100, "write": 20, **figures}
    given: dict[str, Any] = {name: of[name] for name in ("input", "output", "reasoning")}
    given["cache"] = {"read": of["read"], "write": of["write"]}
    return {**given, "total": sum(of.values())} if total else given


def tool(command: str, exit_code: int | None = 0, call: str = "c1", **state: Any) -> dict[str, Any]:
    """A shell's call that is over; a failed one is `completed` all the same."""
    done = {
        "status": "completed",
        "input": {"command": command},
        "output": f"{command} exited",
        "metadata": {"exit": exit_code, "output": f"{command} exited"},
        "time": {"start": START + 2000, "end": START + 3000},
    }
    return {"type": "tool", "callID": call, "tool": "bash", "state": {**done, **state}}


def text(said: str, **more: Any) -> dict[str, Any]:
    """Words, of a person or of the agent."""
    return {"type": "text", "text": said, **more}


class OpenCodeData:
    """The data folder of OpenCode, or of another that keeps its sessions so."""

    def __init__(self, home: Path, flavor: str = "opencode", name: str = "") -> None:
        self.folder = home / ".local" / "share" / flavor
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path = self.folder / (name or f"{flavor}.db")
        self.rows = sqlite3.connect(self.path, isolation_level=None, timeout=0.5)
        self.rows.execute("PRAGMA journal_mode=WAL")
        self.rows.execute("PRAGMA foreign_keys=ON")
        if not self.rows.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            self.rows.executescript(SCHEMA)
        self.clock = START

    def tick(self) -> int:
        self.clock += 1000
        return self.clock

    def session(self, name: str = "ses_1", **columns: Any) -> str:
        row = {
            "project_id": "p",
            "parent_id": None,
            "slug": "x",
            "directory": "/work/shop",
            "title": "Building the shop",
            "version": "1.18.3",
            "time_created": START,
            "time_updated": self.tick(),
            **columns,
        }
        marks = ", ".join("?" * (len(row) + 1))
        self.rows.execute(
            f"INSERT INTO session (id, {', '.join(row)}) VALUES ({marks})", (name, *row.values())
        )
        return name

    def message(self, session: str, name: str, *parts: dict[str, Any], **data: Any) -> str:
        """A message with its parts; a person's, unless it says otherwise."""
        now = self.tick()
        whole = {"role": "user", "time": {"created": now}, **data}
        self.rows.execute("BEGIN")
        self.rows.execute(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?)", (name, session, now, now, _json(whole))
        )
        for number, part in enumerate(parts):
            self.part(session, name, f"prt_{name}_{number}", part)
        self.rows.execute("COMMIT")
        return name

    def reply(self, session: str, name: str, *parts: dict[str, Any], **data: Any) -> str:
        whole = {"role": "assistant", "modelID": "some-model", "tokens": tokens(), **data}
        return self.message(session, name, *parts, **whole)

    def part(self, session: str, message: str, name: str, part: dict[str, Any]) -> None:
        """A part, or what it says now."""
        now = self.tick()
        self.rows.execute(
            "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE "
            "SET data = excluded.data, time_updated = excluded.time_updated",
            (name, message, session, now, now, _json(part)),
        )

    def delete(self, message: str) -> None:
        """What a revert does to a message, with all its parts."""
        self.rows.execute("DELETE FROM message WHERE id = ?", (message,))

    def checkpoint(self) -> None:
        """Close the database, so that nothing lies beside it."""
        self.rows.close()

    def store_files(self) -> None:
        """The same sessions as the old storage has them, a file for each row."""
        storage = self.folder / "storage"
        names = "id, parent_id, directory, title, version, time_created, time_updated"
        for row in self.rows.execute(f"SELECT {names} FROM session").fetchall():
            info = dict(zip(("id", "parentID", "directory", "title", "version"), row, strict=False))
            info["time"] = {"created": row[5], "updated": row[6]}
            _write(storage / "session" / "p" / f"{row[0]}.json", info)
        for name, session, data in self.rows.execute("SELECT id, session_id, data FROM message"):
            whole = {**json.loads(data), "id": name, "sessionID": session}
            _write(storage / "message" / session / f"{name}.json", whole)
        for name, message, data in self.rows.execute("SELECT id, message_id, data FROM part"):
            whole = {**json.loads(data), "id": name, "messageID": message}
            _write(storage / "part" / message / f"{name}.json", whole)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))
