"""Where the fault tests work, and what they tell at the end."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults import strace
from tests.faults.forks import Forks
from tests.faults.scenarios import build
from tests.faults.summary import pytest_terminal_summary

__all__ = ["pytest_terminal_summary"]

_MEMORY = Path("/dev/shm")
_ENOUGH = 512 << 20


@pytest.fixture(scope="session")
def traceable() -> None:
    """Skips, or fails where it must not be skipped, what cannot be traced here."""
    strace.require()


@pytest.fixture(scope="module")
def stage(traceable: None) -> Iterator[Path]:
    """A folder for the scenes of one file of tests, in memory where there is room.

    What is killed loses nothing that it wrote, wherever it lies; in memory no sync has to wait.
    """
    with _folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def driving(traceable: None) -> Iterator[Forks]:
    """The driver, loaded."""
    with _folder() as folder:
        forks = Forks(folder, folder, "driver")
        scenes = [build(name, folder / name) for name in ("sweep that evicts", "detect")]
        forks.learn(*(scene.command(scene.copy("learnt")) for scene in scenes))
        yield forks


@contextmanager
def _folder() -> Iterator[Path]:
    is_roomy = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free >= _ENOUGH
    folder = Path(tempfile.mkdtemp(prefix="helix-faults-", dir=_MEMORY if is_roomy else None))
    yield folder
    shutil.rmtree(folder)
