"""What a team needs is loaded by nobody who needs none of it, also where it is installed."""

from __future__ import annotations

import os

import pytest

from tests.conftest import Workbench
from tests.loaded import run

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
_OF_A_TEAM = {"psycopg", "distributed", "fsspec", "uvicorn", "starlette", "helix_tui.team.database"}


@pytest.mark.parametrize("command", ["status", "detect", "report", "search x"])
def test_no_command_loads_what_teams_need(bench: Workbench, command: str) -> None:
    bench.sweep()
    code, loaded = run([*command.split(), "--store", str(bench.store)], bench.home)
    assert code == 0
    assert "peewee" in loaded
    assert not loaded & _OF_A_TEAM
