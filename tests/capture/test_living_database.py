"""An agent's database is read while another process writes to it, in both forms of SQLite's."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from helix_tui.capture.adapters import adapters
from helix_tui.capture.databases import opened
from helix_tui.capture.discover import DatabaseChangedError
from tests.capture.opencode_counted import assert_counted
from tests.conftest import Workbench
from tests.opencode_log import OpenCodeData, text, tool

# Writes and deletes as fast as it can until it is told to end, with a short patience of its own.
WRITER = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.opencode_log import OpenCodeData, text, tool
data = OpenCodeData(Path(sys.argv[1]))
data.rows.execute(f"PRAGMA journal_mode={sys.argv[3]}")
stop = Path(sys.argv[1]) / "stop"
number = 0
while not stop.exists() and number < 2000:
    number += 1
    if number == 8:
        print("ready", flush=True)
    time.sleep(0.005)
    session = f"ses_{number % 7}"
    if number <= 7:
        data.session(session)
    data.message(session, f"msg_{number:06}", text(f"do {number}"))
    data.reply(session, f"msg_{number:06}r", tool("make", number % 2, call=f"c{number}"))
    if number % 3 == 0:
        data.delete(f"msg_{number - 1:06}r")
print(number, flush=True)
"""


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_a_database_is_read_while_it_is_written(bench: Workbench, mode: str) -> None:
    project = Path(__file__).parents[2]
    bench.home.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", WRITER, str(bench.home), str(project), mode]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        reports = [bench.sweep() for _ in range(3)]
        (bench.home / "stop").touch()
        written = int(writer.stdout.readline())
    assert writer.returncode == 0, "no lock error on the agent's side"
    assert [report.listed_problems for report in reports] == [[], [], []], "nor on ours"
    assert written > 10
    assert reports[0].ingested
    assert reports[2].ingested
    bench.sweep()
    assert_counted(bench)
    assert bench.sweep().bytes_read == 0


def test_what_was_read_while_an_agent_began_to_write_does_not_count(bench: Workbench) -> None:
    data = OpenCodeData(bench.home)
    data.session()
    data.message("ses_1", "msg_1", text("build it"))
    data.checkpoint()
    with opened(str(data.path), adapters()["opencode"]) as sessions:
        assert sessions is not None
        assert [unit.id for unit in sessions.units()] == ["ses_1"]
        sessions.require_unchanged()
        again = OpenCodeData(bench.home)
        again.reply("ses_1", "msg_2", tool("make"))
        with pytest.raises(DatabaseChangedError):
            sessions.require_unchanged()


def test_a_lock_that_stays_is_told_and_the_next_sweep_reads(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helix_tui.capture.databases._BUSY_SECONDS", 0.05)
    data = OpenCodeData(bench.home)
    data.session()
    data.message("ses_1", "msg_1", text("build it"))
    data.rows.execute("PRAGMA journal_mode=DELETE")
    other = sqlite3.connect(data.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    (problem,) = bench.sweep().listed_problems
    assert "locked" in problem.reason
    other.execute("COMMIT")
    assert bench.sweep().listed_problems == []
    assert_counted(bench)
