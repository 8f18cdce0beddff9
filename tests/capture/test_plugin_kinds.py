"""Plug-ins of each kind of part: lines that are appended, and a database whose rows change."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from tests.capture.plugins import GOOSE, KIMI, install
from tests.conftest import Workbench


def use(bench: Workbench, folder: Path, example: Path, flavor: str, root: Path) -> None:
    """Installs an example for a root of its own."""
    entry = f"{flavor} = {example.stem}:{flavor.title()}Adapter"
    config = folder / "config.toml"
    config.write_text(f'[sources.{flavor}]\nroots = ["{root}"]\n')
    place = install(folder / "site", example, entry)
    bench.variables |= {"PYTHONPATH": place, "HELIX_CONFIG": str(config)}


def the_session(bench: Workbench) -> dict[str, Any]:
    (session,) = bench.helix("sessions", "--json").json["sessions"]
    return dict(session)


def wire(kind: str, payload: dict[str, Any], second: int) -> str:
    message = {"type": kind, "payload": payload}
    return json.dumps({"timestamp": 1_760_000_000 + second, "message": message}) + "\n"


def test_lines_that_are_appended_are_added(bench: Workbench, tmp_path: Path) -> None:
    root = bench.home / "kimi"
    use(bench, tmp_path, KIMI, "kimi", root)
    log = root / "sessions" / "0f" / "one" / "wire.jsonl"
    log.parent.mkdir(parents=True)
    usage = {"input_other": 5, "output": 3, "input_cache_read": 2, "input_cache_creation": 1}
    call = {"id": "c1", "function": {"name": "Bash", "arguments": '{"command":"make"}'}}
    log.write_text(
        wire("TurnBegin", {"user_input": "build it"}, 0)
        + wire("ToolCall", call, 1)
        + wire("StatusUpdate", {"token_usage": usage}, 2)
    )
    bench.helix("--sweep")
    result = {"tool_call_id": "c1", "return_value": {"is_error": True, "output": "no rule"}}
    with log.open("a") as file:
        file.write(wire("ToolResult", result, 3) + wire("StatusUpdate", {"token_usage": usage}, 4))
    bench.helix("--sweep")
    session = the_session(bench)
    assert [session[key] for key in ("prompts", "tool_calls", "tool_errors")] == [1, 1, 1]
    assert (session["cost"]["input"], session["cost"]["output"]) == (10, 6)


SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, working_dir TEXT, created_at TEXT,
  updated_at TEXT, accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER,
  model_config_json TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT,
  created_timestamp INTEGER);
CREATE TABLE secrets (token TEXT);
INSERT INTO sessions VALUES ('20251009_1', 'Build the shop', '/work/shop', '2025-10-09 08:53:20',
  '2025-10-09 08:53:20', 10, 7, '{"model_name":"some-model"}');
"""


def said(database: sqlite3.Connection, key: int, role: str, **block: Any) -> None:
    database.execute(
        "INSERT OR REPLACE INTO messages VALUES (?, '20251009_1', ?, ?, ?)",
        (key, role, json.dumps([block]), 1_760_000_000 + key),
    )
    database.execute("UPDATE sessions SET updated_at = ?", (f"2025-10-09 09:00:{key:02}",))
    database.commit()


def test_rows_of_a_database_change_and_vanish(bench: Workbench, tmp_path: Path) -> None:
    root = bench.home / "goose"
    root.mkdir(parents=True)
    use(bench, tmp_path, GOOSE, "goose", root)
    database = sqlite3.connect(root / "sessions.db")
    database.execute("PRAGMA journal_mode=WAL")
    database.executescript(SCHEMA)
    said(database, 1, "user", type="text", text="build it")
    value = {"name": "shell", "arguments": {"command": "make"}}
    asked = {"status": "success", "value": value}
    said(database, 2, "assistant", type="toolRequest", id="c1", toolCall=asked)
    said(database, 3, "user", type="text", text="and test it")
    bench.helix("--sweep")
    assert the_session(bench)["prompts"] == 2
    database.execute("DELETE FROM messages WHERE id = 3")
    failed = {"status": "error", "error": "exited with 2"}
    said(database, 4, "user", type="toolResponse", id="c1", toolResult=failed)
    bench.helix("--sweep")
    session = the_session(bench)
    assert [session[key] for key in ("prompts", "tool_calls", "tool_errors")] == [1, 1, 1]
    assert (session["repo"], session["model"], session["cost"]["output"]) == (
        "shop",
        "some-model",
        7,
    )
    assert bench.helix("doctor").code == 0
    database.close()


def test_a_plug_in_cannot_read_a_table_that_it_does_not_name(
    bench: Workbench, tmp_path: Path
) -> None:
    root = bench.home / "goose"
    root.mkdir(parents=True)
    nosy = tmp_path / "helix_goose.py"
    nosy.write_text(
        GOOSE.read_text().replace("FROM messages WHERE", "FROM messages, secrets WHERE")
    )
    use(bench, tmp_path, nosy, "goose", root)
    database = sqlite3.connect(root / "sessions.db")
    database.executescript(SCHEMA)
    database.close()
    swept = bench.helix("--sweep", "--json", check=False)
    (problem,) = swept.json["problems"]["list"]
    assert "more than the tables that its adapter names" in problem["reason"]
