"""Cursor: transcripts without times or results, joined with what its databases know."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Workbench
from tests.truth import cursor_counter

NAME = "5c0a1f7e-1111-4222-8333-444455556666"
FACTS = ("parent", "prompts", "tool_calls", "tool_errors", "started_at", "ended_at", "cwd")
START = 1_785_000_000_000


def said(role: str, *blocks: dict[str, Any]) -> str:
    return json.dumps({"role": role, "message": {"content": list(blocks)}}) + "\n"


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": given}


STAMP = "<timestamp>Tuesday, Jul 28, 2026, 12:06 PM (UTC+2)</timestamp>"
ASKED = said("user", text(f"{STAMP}\n<user_query>\nbuild it\n</user_query>"))
INJECTED = said("user", text("<system_reminder>be brief</system_reminder>"))
WORK = said("assistant", text("Looking."), use("Shell", command="make"), use("Read", path="a.py"))


def write(home: Path, *rows: str, name: str = NAME, below: str = "") -> Path:
    project = home / ".cursor" / "projects" / "work-shop"
    file = project / "agent-transcripts" / NAME / below / f"{name}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    (project / "worker.log").write_text("started workspacePath=/work/shop pid=1\n")
    file.write_text("".join(rows))
    return file


def write_database(home: Path, *bubbles: dict[str, Any], name: str = NAME) -> None:
    path = home / ".config" / "Cursor" / "User" / "globalStorage" / "state.vscdb"
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path)
    database.execute(
        "CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"
    )
    database.execute("CREATE TABLE IF NOT EXISTS ItemTable (key TEXT, value BLOB)")
    heads = [{"bubbleId": f"b{number}"} for number in range(len(bubbles))]
    composer = {
        "name": "Build of the shop",
        "createdAt": START,
        "lastUpdatedAt": START + 60_000 + len(bubbles),
        "fullConversationHeadersOnly": heads,
        "modelConfig": {"modelName": "some-model"},
    }
    values = {f"composerData:{name}": composer}
    for number, bubble in enumerate(bubbles):
        made = {"bubbleId": f"b{number}", "createdAt": START + 1000 * number, **bubble}
        values[f"bubbleId:{name}:b{number}"] = made
    database.executemany(
        "INSERT INTO cursorDiskKV VALUES (?, ?)",
        [(key, json.dumps(value)) for key, value in values.items()],
    )
    database.commit()
    database.close()


def ran(name: str, status: str, result: object = "") -> dict[str, Any]:
    run = {"name": name, "status": status, "rawArgs": "{}", "result": json.dumps(result)}
    return {"type": 2, "text": "", "toolFormerData": run}


BUBBLES = (
    {"type": 1, "text": "build it"},
    {"type": 2, "text": "Looking.", "tokenCount": {"inputTokens": 9, "outputTokens": 4}},
    ran("run_terminal_cmd", "completed", {"output": "no rule", "exitCode": 2}),
    ran("read_file", "error", {"error": "no such file"}),
)


def assert_counted(bench: Workbench) -> dict[str, dict[str, Any]]:
    truth = cursor_counter.count_home(bench.home)
    listed = bench.helix("sessions", "--json").json["sessions"]
    found = {session["id"]: session for session in listed}
    assert found.keys() == truth.keys()
    for name, expected in truth.items():
        facts = {fact: found[name][fact] for fact in FACTS}
        facts |= {field: found[name]["cost"][field] for field in ("input", "output")}
        assert facts == {fact: getattr(expected, fact) for fact in facts}, name
    return found


def test_a_transcript_alone_tells_words_and_calls(bench: Workbench) -> None:
    log = write(bench.home, ASKED, INJECTED, WORK)
    bench.helix("--sweep")
    session = assert_counted(bench)[f"cursor:{NAME}"]
    assert (session["prompts"], session["tool_calls"], session["tool_errors"]) == (1, 2, 0)
    assert session["started_at"] == "2026-07-28T10:06:00.000Z"
    with log.open("a") as file:
        file.write(said("user", text("<user_query>and again</user_query>")) + WORK)
    bench.helix("--sweep")
    session = assert_counted(bench)[f"cursor:{NAME}"]
    assert (session["prompts"], session["tool_calls"]) == (2, 4)


@pytest.mark.parametrize("comes", ["first", "later"])
def test_the_editors_database_knows_times_and_results(bench: Workbench, comes: str) -> None:
    write(bench.home, ASKED, WORK)
    if comes == "later":
        bench.helix("--sweep")
    write_database(bench.home, *BUBBLES)
    bench.helix("--sweep")
    session = assert_counted(bench)[f"cursor:{NAME}"]
    assert (session["tool_errors"], session["model"]) == (2, "some-model")
    shown = bench.helix("show", f"cursor:{NAME}", "--events", "--json").json
    results = [event for event in shown["events"] if event["kind"] == "tool_result"]
    assert [event["exit_code"] for event in results] == [2, None]
    (asked,) = (event for event in shown["events"] if event["kind"] == "prompt")
    assert asked["ts"] == "2026-07-25T17:20:00.000Z"
    assert bench.helix("--sweep", "--json").json["bytes_read"] == 0
    assert bench.helix("doctor").code == 0


def test_a_conversation_without_a_transcript_is_read_from_the_database(bench: Workbench) -> None:
    write_database(bench.home, *BUBBLES)
    bench.helix("--sweep")
    session = assert_counted(bench)[f"cursor:{NAME}"]
    assert (session["prompts"], session["tool_calls"], session["tool_errors"]) == (1, 2, 2)


def test_the_command_lines_database_knows_the_title(bench: Workbench) -> None:
    write(bench.home, said("user", text("<user_query>build it</user_query>")), WORK)
    path = bench.home / ".cursor" / "chats" / "0f" / NAME / "store.db"
    path.parent.mkdir(parents=True)
    database = sqlite3.connect(path)
    database.executescript(
        "CREATE TABLE meta (key TEXT, value TEXT); CREATE TABLE blobs (id, data)"
    )
    meta = json.dumps({"agentId": NAME, "name": "Make the shop build", "createdAt": START})
    database.execute("INSERT INTO meta VALUES ('0', ?)", (meta.encode().hex(),))
    database.commit()
    database.close()
    bench.helix("--sweep")
    session = assert_counted(bench)[f"cursor:{NAME}"]
    assert "shop build" in session["title"]
    database = sqlite3.connect(path)
    renamed = json.dumps({"agentId": NAME, "name": "Mend the old oven", "createdAt": START})
    database.execute("UPDATE meta SET value = ?", (renamed.encode().hex(),))
    database.commit()
    database.close()
    bench.helix("--sweep")
    assert "old oven" in assert_counted(bench)[f"cursor:{NAME}"]["title"]


def test_arguments_that_stand_as_params_are_those_of_the_call(bench: Workbench) -> None:
    run = {"name": "read_file", "status": "completed", "params": '{"path": "oven.py"}'}
    write_database(bench.home, {"type": 1, "text": "read it"}, {"type": 2, "toolFormerData": run})
    bench.helix("--sweep")
    assert_counted(bench)
    shown = bench.helix("show", f"cursor:{NAME}", "--events", "--json").json
    (call,) = (event for event in shown["events"] if event["kind"] == "tool_call")
    assert "oven.py" in call["text"]


def test_a_sub_agent_has_its_parent(bench: Workbench) -> None:
    write(bench.home, ASKED, WORK)
    write(bench.home, said("user", text("look into it")), WORK, name="sub-1", below="subagents")
    bench.helix("--sweep")
    assert assert_counted(bench)["cursor:sub-1"]["parent"] == f"cursor:{NAME}"


def test_rows_that_vanish_leave_what_was_captured(bench: Workbench) -> None:
    log = write(bench.home, ASKED, WORK, said("assistant", text("Done.")))
    bench.helix("--sweep")
    log.write_text("")
    bench.helix("--sweep")
    (session,) = bench.helix("sessions", "--json").json["sessions"]
    assert (session["prompts"], session["tool_calls"]) == (1, 2)


def test_an_older_transcript_is_text(bench: Workbench) -> None:
    folder = bench.home / ".cursor" / "projects" / "work-shop" / "agent-transcripts"
    folder.mkdir(parents=True)
    (folder / f"{NAME}.txt").write_text(
        "user:\n<user_query>\nbuild it\n</user_query>\n\nassistant:\n<think>hm</think>\n"
        "[Tool call] Shell\n  command: make\n  timeout: 5\n\n[Tool result] Shell\n\n"
        "assistant:\nIt fails.\n"
    )
    bench.helix("--sweep")
    shown = bench.helix("show", f"cursor:{NAME}", "--events", "--json").json
    kinds = [event["kind"] for event in shown["events"] if event["kind"] != "other"]
    assert kinds == ["prompt", "thinking", "tool_call", "reply"]
