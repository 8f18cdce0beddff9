"""Copilot's usage by request: where its database has a session, nothing else counts it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Workbench
from tests.truth import copilot_counter

NAME = "0f0e0d0c-0b0a-4908-8706-050403020100"
TOKENS = ("input", "output", "cache_read", "cache_write", "reasoning")


def write_events(home: Path) -> None:
    """A run of two answers, one of them a sub-agent's, whose shutdown tells sums."""
    usage = {"inputTokens": 900, "outputTokens": 50, "cacheReadTokens": 300, "cacheWriteTokens": 9}
    metrics = {"claude-sonnet-4.6": {"usage": usage}}
    context = {"cwd": "/work/shop", "branch": "main"}
    records = [
        ("session.start", {"sessionId": NAME, "context": context}, None),
        ("user.message", {"content": "build it"}, None),
        ("assistant.message", {"messageId": "a", "content": "Yes.", "outputTokens": 20}, None),
        ("assistant.message", {"messageId": "b", "content": "Look.", "outputTokens": 12}, "call_1"),
        ("session.shutdown", {"modelMetrics": metrics}, None),
    ]
    file = home / ".copilot" / "session-state" / NAME / "events.jsonl"
    file.parent.mkdir(parents=True)
    lines = [
        {"type": kind, "data": data, "id": f"e{number}", "agentId": agent,
         "timestamp": f"2026-07-01T10:00:{number:02}.000Z"}
        for number, (kind, data, agent) in enumerate(records)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def write_rows(home: Path, *rows: tuple[object, ...]) -> None:
    database = sqlite3.connect(home / ".copilot" / "session-store.db")
    database.executescript(
        "CREATE TABLE IF NOT EXISTS assistant_usage_events (id INTEGER PRIMARY KEY, session_id TEXT"
        ", created_at TEXT, model TEXT, input_tokens INTEGER, output_tokens INTEGER, "
        "cache_read_tokens INTEGER, cache_write_tokens INTEGER, reasoning_tokens INTEGER, "
        "total_nano_aiu INTEGER, agent_id TEXT); CREATE TABLE IF NOT EXISTS turns (said TEXT)"
    )
    marks = ", ".join("?" * 11)
    database.executemany(f"INSERT OR REPLACE INTO assistant_usage_events VALUES ({marks})", rows)
    database.commit()
    database.close()


ROW = (1, NAME, "2026-07-01 10:00:02", "claude-sonnet-4.6", 500, 21, 200, 4, 3, 2 * 10**9, None)
AGENT = (2, NAME, "2026-07-01 10:00:03", "gpt-5", 300, 13, 100, 5, 0, None, "call_1")


@pytest.mark.parametrize("comes", ["first", "later"])
def test_rows_of_the_database_are_what_a_session_took(bench: Workbench, comes: str) -> None:
    write_events(bench.home)
    if comes == "later":
        bench.helix("--sweep")
        assert_counted(bench)
    write_rows(bench.home, ROW, AGENT)
    bench.helix("--sweep")
    found = assert_counted(bench)
    assert found[f"copilot:{NAME}"]["cost"]["usd"] == 0.02
    assert found[f"copilot:{NAME}.call_1"]["parent"] == f"copilot:{NAME}"
    write_rows(bench.home, (3, *AGENT[1:10], None))
    bench.helix("--sweep")
    assert_counted(bench)
    assert bench.helix("--sweep", "--json").json["bytes_read"] == 0
    assert bench.helix("doctor").code == 0


def assert_counted(bench: Workbench) -> dict[str, dict[str, Any]]:
    truth = copilot_counter.count_home(bench.home)
    listed = bench.helix("sessions", "--json").json["sessions"]
    found = {session["id"]: session for session in listed}
    assert found.keys() == truth.keys()
    for name, expected in truth.items():
        told = {field: found[name]["cost"][field] for field in TOKENS}
        assert told == {field: getattr(expected, field) for field in TOKENS}, name
    return found
