"""What a power failure would find: everything is on the disk before something else relies on it.

A killed process loses nothing that it wrote; only the order of its syncs tells that a machine
which loses its power would not, either.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.faults import driver, strace
from tests.faults.forks import Forks
from tests.faults.scenarios import build
from tests.faults.strace import Point

_LOG = "store.db-wal"
_SYNCS = ("fsync", "fdatasync")


def hasty(points: Iterable[Point]) -> list[str]:
    """Calls that rely on something that is not on the disk yet.

    Rows are written to SQLite's log: all packs, and folders that got a new one, must be synced
    by then. A pack is unlinked: the log, which says that no row needs it, must be synced by then.
    """
    unsynced: set[str] = set()
    found: list[str] = []
    for point in points:
        is_pack = point.path.endswith(".pack")
        if point.name == "syncfs":
            unsynced.clear()
        elif point.name in _SYNCS:
            unsynced.discard(point.path)
        elif is_pack and point.name == "unlink":
            found += [f"{point} before {_LOG} is synced"] if _LOG in unsynced else []
        elif is_pack:
            unsynced.add(point.path)
            unsynced |= {str(Path(point.path).parent)} if point.is_creating else set()
        elif point.path == _LOG and point.name == "pwrite64":
            waiting = unsynced - {_LOG}
            found += [f"{point} before {sorted(waiting)} are synced"] if waiting else []
            unsynced.add(_LOG)
    return found


def points_of(name: str, folder: Path, forks: Forks, *changes: str) -> tuple[Point, ...]:
    scene = build(name, folder / "-".join([*name.split(), *changes]), *changes)
    store = scene.copy("traced")
    return strace.points_of(forks.calls(scene.command(store)), store).all


class TestOrderOfSyncs:
    """Packs, then rows; rows, then what they no longer need."""

    @pytest.mark.parametrize(
        "name", ["cold sweep", "sweep after growth", "sweep that evicts", "retain", "forget"]
    )
    def test_nothing_relies_on_what_is_not_on_the_disk(
        self, stage: Path, driving: Forks, name: str
    ) -> None:
        points = points_of(name, stage, driving)
        assert any(point.path.endswith(".pack") for point in points)
        assert hasty(points) == []

    @pytest.mark.parametrize(
        ("name", "order"),
        [("cold sweep", driver.UNSYNCED_PACKS), ("retain", driver.UNSYNCED_ROWS)],
    )
    def test_haste_would_be_noticed(
        self, stage: Path, driving: Forks, name: str, order: str
    ) -> None:
        assert hasty(points_of(name, stage, driving, order))
