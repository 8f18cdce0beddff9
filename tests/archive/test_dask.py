"""Units read by a Dask cluster of separate processes, some of which are killed (`make team`)."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from helix_tui.archive.dask_engine import Dask
from helix_tui.errors import UsageError
from tests.archive.archived import InTurn, contents, fill, swept
from tests.conftest import Workbench

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")


def test_workers_that_are_killed_cost_nothing(bench: Workbench, tmp_path: Path) -> None:
    homes = tmp_path / "archive"
    fill(homes, people=4, each=int(os.environ.get("HELIX_UNITS", "60")) // 8 + 1)
    engine = Dask("", 2)
    try:
        killing = threading.Timer(0.5, _kill_one(engine))
        killing.start()
        report = swept(bench, str(homes), engine)
        killing.join()
    finally:
        engine.close()
    assert (report.ingested, report.new_problems) == (report.discovered, 0)
    swept(bench, str(homes), InTurn(), tmp_path / "other")
    assert contents(bench, bench.store) == contents(bench, tmp_path / "other")


def test_workers_that_are_gone_for_good_are_replaced(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helix_tui.archive.dask_engine._SECONDS_BETWEEN_LOOKS", 0.5)
    homes = tmp_path / "archive"
    fill(homes)
    engine = Dask("", 2)
    try:
        # As when a worker dies while its nanny starts it: nobody starts it any more.
        for nanny in list(engine._cluster.workers.values()):
            engine._cluster.sync(nanny.close)
        report = swept(bench, str(homes), engine)
    finally:
        engine.close()
    assert (report.ingested, report.new_problems) == (12, 0)


def _kill_one(engine: Dask) -> Callable[[], None]:
    def kill() -> None:
        for process in engine.processes()[:1]:
            os.kill(process, signal.SIGKILL)

    return kill


def test_scheduler_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("helix_tui.archive.dask_engine._SECONDS_TO_CONNECT", 1)
    with pytest.raises(UsageError, match="No Dask scheduler answers"):
        Dask("tcp://127.0.0.1:9", 1)
