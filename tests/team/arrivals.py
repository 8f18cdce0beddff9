"""Machines with some sessions, and what of them has arrived in the team's store."""

from __future__ import annotations

import msgspec

from helix_tui.engine.team.row_files import preview
from tests.claude_log import ClaudeLog
from tests.team.machine import Machine
from tests.team.postgresql import TeamStore


def worked(machine: Machine, number: int, sessions: int) -> Machine:
    """A machine with some small sessions in its store."""
    for one in range(sessions):
        log = ClaudeLog(session=f"{number:04d}-{one:04d}-session", start=one * 900)
        log.prompt(f"make the test of part {one} pass")
        log.step("rg missing", "bash: rg: command not found", is_error=True)
        log.step("pytest", "E   ModuleNotFoundError: No module named 'yaml'", is_error=True)
        log.step("pytest", "3 passed")
        log.reply()
        log.write(machine.bench.home)
    machine.bench.sweep()
    return machine


def arrived(store: TeamStore) -> dict[str, str]:
    rows = store.rows("SELECT uid, hash FROM helix.session")
    assert len(rows) == len(dict(rows))
    return dict(rows)


def expected(machines: list[Machine]) -> dict[str, str]:
    rows = [
        msgspec.json.decode(row) for one in machines for row in preview(one.config, is_all=True)
    ]
    return {row["uid"]: row["hash"] for row in rows}
