"""A repair killed at any write starts over, says so until then, and loses nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.forks import Forks
from tests.faults.loop import TAKES_ALL, try_points
from tests.faults.repair_loop import RepairTrial, repair_trial, spread_points
from tests.faults.summary import KILLED

Record = Callable[[str, object], None]

# How many points around a journal are tried; with HELIX_FAULTS=all it is every one.
_AROUND = 10


@pytest.fixture(scope="module")
def subject(stage: Path, driving: Forks) -> RepairTrial:
    return repair_trial(stage, driving)


class TestKilledRepair:
    """What was set aside is all that the next one begins with."""

    def test_killed_anywhere_it_is_made_good_by_the_next(
        self, subject: RepairTrial, record_property: Record
    ) -> None:
        try_points(subject, record_property)

    def test_killed_with_a_journal_that_is_to_be_rolled_back(self, subject: RepairTrial) -> None:
        points = subject.points.all
        first = next(at for at, point in enumerate(points) if point.path == "store.db-journal")
        last = max(at for at, point in enumerate(points) if point.path == "store.db-journal")
        around = points[first : last + 2]
        if not TAKES_ALL:
            around = tuple(spread_points(around, _AROUND))
        complaints = [line for point in around for line in subject.killed_at(point)]
        assert not complaints, "\n".join(complaints)

    def test_killed_again_it_is_made_good_by_the_third(
        self, subject: RepairTrial, record_property: Record
    ) -> None:
        firsts = spread_points(subject.points.all, 9 if TAKES_ALL else 3)[1:-1]
        tried = there = 0
        complaints: list[str] = []
        for first in firsts:
            again = subject.again_behind(first)
            chosen = spread_points(again.points.all, 40 if TAKES_ALL else 8)
            complaints += [
                f"behind {first}, {line}" for one in chosen for line in again.killed_at(one)
            ]
            tried, there = tried + len(chosen), there + len(again.points.all)
        record_property(KILLED, f"repair of a repair: {tried} of {there}")
        assert not complaints, "\n".join(complaints)

    @pytest.mark.parametrize("name", ["store.db", "packs"])
    def test_what_is_lost_would_be_noticed(self, subject: RepairTrial, name: str) -> None:
        store = subject.scene.copy("lost")
        shutil.rmtree(store / name) if name == "packs" else (store / name).unlink()
        assert subject.complaints(store)
