"""Rows that a configuration adds to the table of runners."""

from __future__ import annotations

from pathlib import Path

from helix_tui.digest.runs.table import add_rows
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

ROWS = """
[[runner]]
name = "unit"
kind = "test"
commands = ["unit"]
passed = ['^(?P<passed>\\d+) cases ok$']
failed = ['^(?P<failed>\\d+) cases bad$']
"""


def test_a_row_of_ones_own_is_read(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "rows.toml").write_text(ROWS)
    config = tmp_path / "config.toml"
    config.write_text('[digest]\nrunners = ["rows.toml"]\n')
    log = ClaudeLog()
    log.prompt()
    log.step("unit --all | tail -1", "2 cases bad")
    log.write(bench.home)
    try:
        bench.helix("sweep", "--json", "--config", str(config))
        (session,) = bench.helix("sessions", "--json").json["sessions"]
        (run,) = bench.helix("show", session["id"], "--json").json["digest"]["runs"]
    finally:
        add_rows(())
    assert (run["name"], run["state"], run["failed"]) == ("unit", "failed", 2)
    assert session["failures"] == 1
    assert [check["state"] for check in session["checks"]] == ["failed"]


def test_a_wrong_row_is_told(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "rows.toml").write_text(ROWS.replace("(?P<failed>", "(?P<failed"))
    config = tmp_path / "config.toml"
    config.write_text('[digest]\nrunners = ["rows.toml"]\n')
    done = bench.helix("sweep", "--json", "--config", str(config), check=False)
    assert done.code == 78
    assert "rows.toml" in done.err
