"""The real home, swept once for all workers: tests take copies of its store."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from tests.conftest import Workbench

OnSweptHome = Callable[[Workbench], Workbench]


@pytest.fixture(scope="session")
def on_swept_home(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> OnSweptHome:
    """Puts a workbench on the real home, with a copy of the store that it was swept into."""
    base = tmp_path_factory.getbasetemp()
    # Workers have a folder each, beside one another.
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "swept-home"
    home = shared / "corpus" / "home"
    with FileLock(place.with_suffix(".lock")):
        if not (place / "complete").exists():
            bench = Workbench(place)
            bench.home = home
            bench.helix("--sweep", check=False)
            (place / "complete").touch()

    def put(bench: Workbench) -> Workbench:
        bench.home = home
        shutil.copytree(place / "store", bench.store)
        return bench

    return put
