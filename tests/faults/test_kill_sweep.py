"""A sweep killed at any write leaves a sound store, and the next one makes it good."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults import driver
from tests.faults.forks import Forks
from tests.faults.loop import SHARES, trial, try_points

Record = Callable[[str, object], None]


class TestKilledSweep:
    """Whatever was acknowledged is there, and what was not is read again."""

    @pytest.mark.parametrize("name", ["cold sweep", "sweep after growth"])
    def test_killed_anywhere_it_is_made_good_by_the_next(
        self, stage: Path, driving: Forks, name: str, record_property: Record
    ) -> None:
        try_points(trial(name, stage, driving), record_property)


class TestKilledGrouping:
    """What is made of digests is made whole or not at all, and by the next command if not."""

    def test_killed_anywhere_it_is_made_good_by_the_next(
        self, stage: Path, driving: Forks, record_property: Record
    ) -> None:
        subject = trial("detect", stage, driving)
        assert any("store.db-wal" in point.path for point in subject.points.all)
        try_points(subject, record_property)

    def test_grouping_is_among_the_points_of_a_sweep(self, stage: Path, driving: Forks) -> None:
        whole = trial("cold sweep", stage / "grouped", driving)
        without = trial("cold sweep", stage / "not", driving, driver.UNGROUPED)
        assert len(without.points.all) < len(whole.points.all)


def test_at_least_a_hundred_points_are_tried() -> None:
    assert sum(SHARES.values()) >= 100


def test_rows_committed_before_their_packs_would_be_noticed(stage: Path, driving: Forks) -> None:
    hasty = trial("cold sweep", stage, driving, driver.ROWS_FIRST)
    around = [point for point in hasty.points.all if point.path.endswith(".pack")]
    assert any(map(hasty.killed_at, around))
