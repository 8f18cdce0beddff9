"""The real home, swept once for all workers: tests take copies of its store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Workbench
from tests.once import copied, made_once

OnSweptHome = Callable[[Workbench], Workbench]


@pytest.fixture(scope="session")
def on_swept_home(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> OnSweptHome:
    """Puts a workbench on the real home, with a copy of the store that it was swept into."""
    home = shared / "corpus" / "home"

    def sweep(folder: Path) -> None:
        bench = Workbench(folder)
        bench.home = home
        bench.helix("--sweep", check=False)

    place = made_once(tmp_path_factory, "swept-home", sweep)

    def put(bench: Workbench) -> Workbench:
        bench.home = home
        copied(place / "store", bench.store)
        return bench

    return put
