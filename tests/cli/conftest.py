"""What the tests of commands share."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.curate.conftest import certificates, server
from tests.once import copied, made_once

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
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store as `helix --demo --sweep` makes it, of which tests take copies."""

    def sweep(folder: Path) -> None:
        Workbench(folder).helix("--demo", "--sweep")

    return made_once(tmp_path_factory, "demo", sweep) / "store"


@pytest.fixture(scope="session")
def sample_store(demo_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the bundled sample, without what was taught, of which tests take copies."""

    def forget_what_was_taught(folder: Path) -> None:
        copied(demo_store, folder / "store")
        for name in ("review", "catalog"):
            shutil.rmtree(folder / "store" / name)

    return made_once(tmp_path_factory, "sample", forget_what_was_taught) / "store"


@pytest.fixture
def demo(bench: Workbench, demo_store: Path) -> Workbench:
    """The bundled sample, swept, with the patterns that were taught in it."""
    copied(demo_store, bench.store)
    return bench


@pytest.fixture
def sampled(bench: Workbench, sample_store: Path) -> Workbench:
    """The bundled sample, swept, with no verdict on anything."""
    copied(sample_store, bench.store)
    return bench
