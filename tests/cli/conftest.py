"""What the tests of commands share."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.curate.conftest import certificates, server

__all__ = ["certificates", "server"]


@pytest.fixture
def swept(bench: Workbench) -> Workbench:
    log = ClaudeLog()
    log.prompt("why does it fail?")
    log.step("make", "Exit code 2\nno rule", is_error=True)
    log.reply("It is fixed.")
    log.write(bench.home)
    agent = ClaudeLog(agent="abc")
    agent.prompt("look around")
    agent.write(bench.home)
    bench.sweep()
    return bench


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the bundled sample, without what was taught, of which tests take copies."""
    bench = Workbench(tmp_path_factory.mktemp("sample"))
    bench.helix("--demo", "--sweep")
    for folder in ("review", "catalog"):
        shutil.rmtree(bench.store / folder)
    return bench.store


@pytest.fixture
def sampled(bench: Workbench, sample_store: Path) -> Workbench:
    """The bundled sample, swept, with no verdict on anything."""
    shutil.copytree(sample_store, bench.store)
    return bench
