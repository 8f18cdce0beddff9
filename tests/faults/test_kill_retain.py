"""Retention killed at any write drops no raw bytes that rows still speak of, and no digest."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults import driver
from tests.faults.forks import Forks
from tests.faults.loop import trial, try_points
from tests.faults.scenarios import PARENT

Record = Callable[[str, object], None]


class TestKilledRetention:
    """Rows go first, then packs; what a crash leaves is an orphan, gone with the next sweep."""

    @pytest.mark.parametrize("name", ["sweep that evicts", "retain", "forget", "pin"])
    def test_killed_anywhere_it_is_made_good_by_the_next(
        self, stage: Path, driving: Forks, name: str, record_property: Record
    ) -> None:
        try_points(trial(name, stage, driving), record_property)


def test_packs_unlinked_before_their_rows_are_gone_would_be_noticed(
    stage: Path, driving: Forks
) -> None:
    hasty = trial("retain", stage, driving, driver.UNLINK_FIRST)
    points = hasty.points.all
    first = next(index for index, point in enumerate(points) if point.name == "unlink")
    assert any(map(hasty.killed_at, points[first + 1 :]))


def test_what_is_lost_would_be_noticed(stage: Path, driving: Forks) -> None:
    subject = trial("retain", stage / "lost", driving)
    store = subject.scene.copy("lost")
    driver.run(subject.scene.engine(store), "retain")
    with closing(sqlite3.connect(store / "store.db")) as database:
        database.execute(f"DELETE FROM session WHERE native_id = '{PARENT}'")
        database.execute("DELETE FROM fold")
        database.commit()
    complaints = subject.complaints(store)
    assert f"claude:{PARENT} is gone" in complaints
    assert any("has neither its raw bytes nor a digest" in line for line in complaints)
