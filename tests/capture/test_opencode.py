"""OpenCode: a database with all sessions, the files before it, and what becomes of their rows."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helix_tui.capture.adapters.opencode.storage import StorageTree
from tests.capture.opencode_counted import assert_counted
from tests.conftest import Workbench
from tests.opencode_log import START, OpenCodeData, text, tokens, tool

# How many random changes of a database; more are for a machine with time.
ROUNDS = int(os.environ.get("HELIX_EXAMPLES", "12"))


@pytest.fixture
def data(bench: Workbench) -> OpenCodeData:
    """A session with a prompt, a call that failed, and a reply."""
    made = OpenCodeData(bench.home)
    made.session()
    made.message("ses_1", "msg_1", text("build it"), text("reminder", synthetic=True))
    made.reply("ses_1", "msg_2", tool("make", exit_code=2), text("It fails."), cost=0.25)
    return made


def kinds(bench: Workbench, name: str = "opencode:ses_1") -> list[tuple[str, str]]:
    shown = bench.helix("show", name, "--events", "--json").json
    return [(event["kind"], event["text"]) for event in shown["events"] if event["kind"] != "other"]


def test_a_session_is_read_as_it_is(bench: Workbench, data: OpenCodeData) -> None:
    bench.helix("--sweep")
    session = assert_counted(bench)["opencode:ses_1"]
    assert [session[key] for key in ("prompts", "tool_calls", "tool_errors")] == [1, 1, 1]
    assert session["cost"]["usd"] == 0.25
    assert session["title"]
    shown = bench.helix("show", "opencode:ses_1", "--events", "--json").json
    (result,) = (event for event in shown["events"] if event["kind"] == "tool_result")
    assert (result["is_error"], result["exit_code"]) == (True, 2)
    assert [kind for kind, _ in kinds(bench)] == [
        "prompt",
        "system",
        "tool_call",
        "tool_result",
        "reply",
    ]


def test_rows_that_change_in_place_are_followed(bench: Workbench, data: OpenCodeData) -> None:
    running: dict[str, Any] = {"status": "running", "output": "", "metadata": {}}
    data.reply("ses_1", "msg_3", text("Let me"), tool("make test", call="c2", **running))
    bench.helix("--sweep")
    assert ("reply", "Let me") in kinds(bench)
    data.part("ses_1", "msg_3", "prt_msg_3_0", text("Let me look."))
    data.part("ses_1", "msg_3", "prt_msg_3_1", tool("make test", 1, call="c2"))
    bench.helix("--sweep")
    said = kinds(bench)
    assert ("reply", "Let me look.") in said
    assert ("reply", "Let me") not in said
    assert assert_counted(bench)["opencode:ses_1"]["tool_errors"] == 2


def test_rows_that_vanish_are_followed(bench: Workbench, data: OpenCodeData) -> None:
    data.message("ses_1", "msg_3", text("no, revert that"))
    data.reply("ses_1", "msg_4", tool("git checkout .", call="c2"), text("Done."))
    bench.helix("--sweep")
    assert assert_counted(bench)["opencode:ses_1"]["prompts"] == 2
    data.delete("msg_3")
    data.delete("msg_4")
    bench.helix("--sweep")
    session = assert_counted(bench)["opencode:ses_1"]
    assert (session["prompts"], session["cost"]["output"]) == (1, 7)
    assert bench.helix("search", "checkout", "--json").json["hits"] == []
    assert bench.helix("doctor").code == 0


def test_a_deleted_session_stays(bench: Workbench, data: OpenCodeData) -> None:
    data.session("ses_2")
    data.message("ses_2", "msg_9", text("and now?"))
    bench.helix("--sweep")
    data.rows.execute("DELETE FROM session WHERE id = 'ses_2'")
    bench.helix("--sweep")
    listed = bench.helix("sessions", "--json").json["sessions"]
    assert {session["id"] for session in listed} == {"opencode:ses_1", "opencode:ses_2"}


def test_only_the_changed_session_is_read_again(bench: Workbench, data: OpenCodeData) -> None:
    for number in range(2, 6):
        data.session(f"ses_{number}")
        data.message(f"ses_{number}", f"msg_{number}0", text("x" * 5000))
    bench.helix("--sweep")
    again = bench.helix("--sweep", "--json").json
    assert (again["discovered"], again["skipped_unchanged"], again["bytes_read"]) == (5, 5, 0)
    data.message("ses_1", "msg_3", text("more"))
    grown = bench.helix("--sweep", "--json").json
    assert (grown["ingested"], grown["skipped_unchanged"]) == (1, 4)
    assert grown["bytes_read"] < 5000


def test_old_files_and_the_database_are_one_session(
    bench: Workbench, data: OpenCodeData, tmp_path: Path
) -> None:
    data.session("ses_2", parent_id="ses_1", version="1.1.0")
    data.message("ses_2", "msg_8", text("look into it"))
    data.reply("ses_2", "msg_9", text("Found."), tokens=tokens(total=False))
    data.store_files()
    # What the migration lost is in the files alone; what was added later in the database alone.
    data.rows.execute("DELETE FROM session WHERE id = 'ses_2'")
    data.message("ses_1", "msg_3", text("go on"))
    bench.helix("--sweep")
    found = assert_counted(bench)
    assert found["opencode:ses_2"]["parent"] == "opencode:ses_1"
    assert found["opencode:ses_2"]["cost"]["output"] == 5, "reasoning is in the output before 1.4"
    assert found["opencode:ses_1"]["prompts"] == 2
    quiet = bench.helix("--sweep", "--json").json
    assert (quiet["discovered"], quiet["ingested"], quiet["bytes_read"]) == (2, 0, 0)
    (data.folder / "storage" / "part" / "msg_8" / "prt_msg_8_0.json").unlink()
    bench.helix("--sweep")
    assert assert_counted(bench)["opencode:ses_2"]["prompts"] == 0


def test_a_session_in_files_is_read_without_a_look_at_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = OpenCodeData(tmp_path)
    for number in range(9):
        data.session(f"ses_{number}")
        data.message(f"ses_{number}", f"msg_{number}", text(f"build {number}"))
    data.store_files()
    met: list[str] = []
    for name in ("scandir", "open"):
        asked = getattr(os, name)

        def watched(place: Any, *rest: Any, asked: Any = asked) -> Any:
            if isinstance(place, str) and not place.endswith(".json"):
                met.append(place)
            return asked(place, *rest)

        monkeypatch.setattr(os, name, watched)
    tree = StorageTree(str(data.folder / "storage"))
    rows = dict(tree.rows("ses_4"))
    assert (rows["message"][0][0], rows["part"][0][0]) == ("msg_4", "prt_msg_4_0")
    assert {Path(folder).name for folder in met} == {"session", "ses_4", "msg_4"}


def test_files_that_are_no_rows_change_nothing(tmp_path: Path) -> None:
    data = OpenCodeData(tmp_path)
    data.session()
    data.message("ses_1", "msg_1", text("build it"))
    data.store_files()
    storage = data.folder / "storage"
    before = StorageTree(str(storage)).digest()
    for place in (storage / "message" / "ses_1", storage / "part"):
        (place / os.fsdecode(b"\xff.tmp")).write_bytes(b"")
    (storage / "part" / os.fsdecode(b"\xfe")).mkdir()
    assert StorageTree(str(storage)).digest() == before


def test_kilo_is_read_by_the_same_reader(bench: Workbench) -> None:
    data = OpenCodeData(bench.home, "kilo")
    data.session()
    data.message("ses_1", "msg_1", text("build it"))
    bench.helix("--sweep")
    assert assert_counted(bench).keys() == {"kilo:ses_1"}


def test_nothing_is_left_beside_a_database_that_nobody_has_open(
    bench: Workbench, data: OpenCodeData
) -> None:
    data.checkpoint()
    assert [path.name for path in data.folder.iterdir()] == ["opencode.db"]
    before = data.path.read_bytes()
    bench.helix("--sweep")
    assert_counted(bench)
    assert [path.name for path in data.folder.iterdir()] == ["opencode.db"]
    assert data.path.read_bytes() == before


def test_tables_with_tokens_are_never_read(bench: Workbench, data: OpenCodeData) -> None:
    data.rows.execute("INSERT INTO account VALUES ('a', 'st-secret-one', 'st-secret-two')")
    (data.folder / "auth.json").write_text('{"key": "st-secret-three"}')
    bench.helix("--sweep")
    kept = b"".join(path.read_bytes() for path in bench.store.rglob("*") if path.is_file())
    assert b"st-secret" not in kept


def test_what_is_no_database_of_the_agent_is_told_or_left(
    bench: Workbench, data: OpenCodeData
) -> None:
    sqlite3.connect(data.folder / "other.db").executescript("CREATE TABLE notes (a)")
    (data.folder / "broken.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    swept = bench.helix("--sweep", "--json", check=False).json
    (problem,) = swept["problems"]["list"]
    assert problem["path"].endswith("broken.db")
    assert "a database that cannot be read" in problem["reason"]
    (session,) = bench.helix("sessions", "--json").json["sessions"]
    assert session["id"] == "opencode:ses_1"


def test_a_row_that_is_no_json_costs_itself(bench: Workbench, data: OpenCodeData) -> None:
    data.rows.execute("INSERT INTO part VALUES ('prt_x', 'msg_2', 'ses_1', 1, 1, '{\"type\":\"te')")
    data.rows.execute("INSERT INTO message VALUES ('msg_x', 'ses_1', 1, 1, '[]')")
    data.part("ses_1", "msg_2", "prt_y", {"type": "text", "text": 5, "time": "never"})
    data.reply("ses_1", "msg_3", text("\0 odd \ud800"), tokens={"input": "many"}, cost="dear")
    swept = bench.helix("--sweep", "--json", check=False).json
    assert {problem["reason"] for problem in swept["problems"]["list"]} == {
        "a part that is no JSON object",
        "a message that is no JSON object",
    }
    assert_counted(bench)


def test_an_export_is_a_session_too(bench: Workbench, data: OpenCodeData, tmp_path: Path) -> None:
    exports = bench.home / "exports"
    exports.mkdir()
    made = {
        "info": {"id": "ses_1", "directory": "/work/shop", "time": {"created": START}},
        "messages": [
            {
                "info": {"id": "msg_1", "role": "user", "time": {"created": START + 500}},
                "parts": [{"id": "prt_a", **text("build it")}],
            }
        ],
    }
    (exports / "one.json").write_text(json.dumps(made, indent=2))
    (exports / "two.json").write_text("[1]")
    config = tmp_path / "config.toml"
    config.write_text(f'[sources.opencode]\nroots = ["{exports}"]\n')
    bench.variables["HELIX_CONFIG"] = str(config)
    swept = bench.helix("--sweep", "--json", check=False).json
    assert [p["reason"] for p in swept["problems"]["list"]] == ["not an exported session"]
    (session,) = bench.helix("sessions", "--json").json["sessions"]
    assert (session["prompts"], session["cwd"]) == (1, "/work/shop")
    assert bench.helix("doctor").code == 0


@pytest.mark.parametrize("variable", ["XDG_DATA_HOME", "OPENCODE_DB"])
def test_variables_say_where_the_data_is(
    bench: Workbench, data: OpenCodeData, tmp_path: Path, variable: str
) -> None:
    data.checkpoint()
    place = tmp_path / "elsewhere"
    shutil.move(data.folder.parent, place)
    file = place / "opencode" / "opencode.db"
    bench.variables[variable] = str(place if variable == "XDG_DATA_HOME" else file)
    bench.variables["HELIX_STORE"] = str(bench.store)
    bench.helix("--sweep")
    assert len(bench.helix("sessions", "--json").json["sessions"]) == 1


def test_excluded_projects_stay_out(bench: Workbench, data: OpenCodeData, tmp_path: Path) -> None:
    data.session("ses_2", directory="/work/private")
    data.message("ses_2", "msg_9", text("secret plans"))
    config = tmp_path / "config.toml"
    config.write_text('[sources.opencode]\nexclude = ["/work/private*"]\n')
    bench.variables["HELIX_CONFIG"] = str(config)
    bench.helix("--sweep")
    (session,) = bench.helix("sessions", "--json").json["sessions"]
    assert session["id"] == "opencode:ses_1"


def test_any_changes_between_sweeps_end_at_what_the_database_says(
    bench: Workbench, data: OpenCodeData, tmp_path: Path
) -> None:
    chance = random.Random(26)
    names = ["msg_1", "msg_2"]
    for number in range(3, 3 + ROUNDS):
        for step in range(chance.randint(1, 3)):
            name = f"msg_{number:03}_{step}"
            act = chance.choice(("ask", "reply", "delete", "change", "drop"))
            if act == "ask":
                names.append(data.message("ses_1", name, text(f"and {name}")))
            elif act == "reply":
                call = tool(f"run {name}", chance.choice((0, 1, None)), call=chance.choice("ab"))
                names.append(data.reply("ses_1", name, call, text(name)))
            elif act == "delete" and len(names) > 1:
                data.delete(names.pop(chance.randrange(len(names))))
            elif act == "change":
                data.rows.execute(
                    "UPDATE part SET data = ?, time_updated = ? WHERE id = (SELECT max(id) FROM "
                    "part)", (json.dumps(tool(f"again {name}", 3)), data.tick())
                )  # fmt: skip
            elif act == "drop":
                data.rows.execute("DELETE FROM part WHERE id = (SELECT max(id) FROM part)")
        bench.sweep()
    assert_counted(bench)
    at_once = tmp_path / "at-once"
    bench.sweep(at_once)
    (name,) = bench.sessions()
    assert bench.events(name) == bench.events(name, at_once)
    assert all(check.is_ok for check in bench.engine().doctor())


def test_instructions_that_the_agent_read_are_kept_as_seen(
    bench: Workbench, data: OpenCodeData
) -> None:
    answer = "<content>\n1: # Rules\n2: \n3: - Run `make lint` first.\n</content>"
    read = tool("", input={"filePath": "/work/app/AGENTS.md"}, output=answer, metadata={})
    data.reply("ses_1", "msg_3", {**read, "tool": "read", "callID": "c9"})
    bench.helix("--sweep")
    with closing(sqlite3.connect(bench.store / "store.db")) as rows:
        assert rows.execute("SELECT source FROM instructed").fetchall() == [("read",)]
    (record,) = bench.helix("show", "opencode:ses_1", "--json").json["exposure"]["records"]
    assert record["source"] == "read"
