"""Real databases of OpenCode and a real transcript of Cursor, against the separate counters."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.capture.opencode_counted import assert_counted
from tests.conftest import Workbench
from tests.corpus.damage import damage, scramble
from tests.truth import cursor_counter

DATA = ".local/share/opencode"
ROUNDS = int(os.environ.get("HELIX_SEEDS", "1"))


def copy_real(shared: Path, home: Path, agent: str) -> Path:
    """Puts a real home of an agent in place; returns where OpenCode has its data."""
    real = shared / "corpus" / "more" / agent
    for path in (path for path in real.rglob("*") if path.is_file() and "exports" not in str(path)):
        copy = home / path.relative_to(real)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    return home / DATA


def test_every_figure_of_every_session_equals_the_counters(bench: Workbench, shared: Path) -> None:
    copy_real(shared, bench.home, "opencode")
    assert bench.sweep().listed_problems == []
    assert len(assert_counted(bench)) == 40
    assert bench.sweep().bytes_read == 0
    usage = bench.helix("usage", "--by", "session", "--json").json
    assert sum(row["output"] for row in usage["rows"]) == usage["total"]["output"]


def test_the_old_storage_alone_says_the_same(bench: Workbench, shared: Path) -> None:
    (copy_real(shared, bench.home, "opencode") / "opencode.db").unlink()
    bench.sweep()
    assert len(assert_counted(bench)) == 7


def test_a_real_database_and_a_copy_of_it_are_one(bench: Workbench, shared: Path) -> None:
    data = copy_real(shared, bench.home, "opencode-native")
    shutil.copy(data / "opencode.db", data / "opencode-dev.db")
    bench.sweep()
    assert len(assert_counted(bench)) == 1


def test_a_real_transcript_of_cursor(bench: Workbench, shared: Path) -> None:
    copy_real(shared, bench.home, "cursor")
    bench.sweep()
    truth = cursor_counter.count_home(bench.home)
    listed = bench.helix("sessions", "--json").json["sessions"]
    assert {item["id"]: (item["prompts"], item["started_at"]) for item in listed} == {
        name: (counted.prompts, counted.started_at) for name, counted in truth.items()
    }


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_damaged_rows_cost_themselves(bench: Workbench, shared: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = copy_real(shared, bench.home, "opencode-native")
    rows = sqlite3.connect(data / "opencode.db")
    for table in ("message", "part"):
        for name, content in rows.execute(f"SELECT id, data FROM {table}").fetchall():
            if chance.random() < 0.2:
                broken = damage(content.encode(), chance).decode("utf-8", "replace")
                rows.execute(f"UPDATE {table} SET data = ? WHERE id = ?", (broken, name))
    rows.commit()
    rows.close()
    report = bench.sweep()
    assert [p for p in report.listed_problems if "adapter failed" in p.reason] == []
    assert all(check.is_ok for check in bench.engine().doctor())
    assert bench.sweep().bytes_read == 0


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_other_bytes_never_fail_an_adapter(bench: Workbench, shared: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = copy_real(shared, bench.home, "opencode-native")
    whole = (data / "opencode.db").read_bytes()
    bench.sweep()
    before = bench.sessions()
    for _ in range(4):
        (data / "opencode.db").write_bytes(whole[:4096] + scramble(whole[4096:], chance))
        report = bench.sweep()
        assert [p for p in report.listed_problems if "adapter failed" in p.reason] == []
        assert all(check.is_ok for check in bench.engine().doctor())
    assert bench.sessions().keys() >= before.keys()
