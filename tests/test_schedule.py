"""Sweeps at a cadence: what is installed is what is printed, and goes away again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helix_tui.config import load
from helix_tui.schedule import schedule_for
from tests.conftest import Workbench


@pytest.mark.parametrize(
    ("cadence", "timer", "cron"),
    [
        ("30 min", "OnUnitActiveSec=30min", "*/30 * * * * "),
        ("2h", "OnUnitActiveSec=120min", "0 */2 * * * "),
        ("1 d", "OnUnitActiveSec=1440min", "0 3 * * * "),
        ("1 h", "OnUnitActiveSec=60min", "0 */1 * * * "),
    ],
)
def test_cadence(tmp_path: Path, cadence: str, timer: str, cron: str) -> None:
    path = tmp_path / "100% mine.toml"
    path.write_text(f"[sweep]\ncadence = '{cadence}'\n")
    made = schedule_for(load(path), tmp_path / "a store")
    assert timer in made.timer
    assert made.cron_line.startswith(cron)
    assert "\\%" in made.cron_line
    assert "100%% mine.toml" in made.service
    assert f'"--store" "{tmp_path}/a store"' in made.service
    assert "SuccessExitStatus=1" in made.service


def stand_in(folder: Path, name: str, script: str) -> None:
    """A system command that notes how it was called."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_systemd_timer_comes_and_goes(bench: Workbench, tmp_path: Path) -> None:
    stand_in(tmp_path / "bin", "systemctl", f'echo "$@" >> {tmp_path}/calls')
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    assert "systemd" in bench.helix("schedule", "install", PATH=path).out
    units = bench.home / ".config" / "systemd" / "user"
    assert "SuccessExitStatus=1" in (units / "helix-sweep.service").read_text()
    assert "--user enable --now helix-sweep.timer" in (tmp_path / "calls").read_text()
    assert "systemd" in bench.helix("schedule", "remove", PATH=path).out
    assert list(units.iterdir()) == []


def test_cron_line_comes_and_goes_beside_others(bench: Workbench, tmp_path: Path) -> None:
    tab = tmp_path / "tab"
    tab.write_text("5 4 * * * other\n")
    stand_in(tmp_path / "bin", "systemctl", "exit 1")
    stand_in(tmp_path / "bin", "crontab", f'if [ "$1" = -l ]; then cat {tab}; else cat > {tab}; fi')
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    for _ in range(2):
        bench.helix("schedule", "install", PATH=path)
    lines = tab.read_text().splitlines()
    assert len(lines) == 2
    assert lines[0] == "5 4 * * * other"
    assert "--sweep" in lines[1]
    bench.helix("schedule", "remove", PATH=path)
    assert tab.read_text() == "5 4 * * * other\n"


def test_nothing_to_schedule_with_says_so(bench: Workbench, tmp_path: Path) -> None:
    stand_in(tmp_path / "bin", "systemctl", "exit 1")
    ran = bench.helix("schedule", "install", PATH=str(tmp_path / "bin"), check=False)
    assert ran.code == 74
    assert "helix schedule print" in ran.err
