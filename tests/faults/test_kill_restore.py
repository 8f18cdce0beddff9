"""A sweep behind a database that was put back, killed at any write, loses no event of a pack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from helix_tui.schema import SessionFilter
from tests.faults import driver
from tests.faults.forks import Forks
from tests.faults.loop import Trial, doctor_says, trial, try_points

Record = Callable[[str, object], None]


def lost_events(subject: Trial, store: Path) -> list[str]:
    """Sessions that say less than they did before the accident."""
    newer, found = subject.scene.engine(subject.scene.newer), subject.scene.engine(store)
    lost = []
    for session in newer.sessions(SessionFilter()):
        there = [event.text for event in found.session_events(found.session(session.id))]
        said = [event.text for event in newer.session_events(session)]
        lost += [session.id] if sorted(said) != sorted(there) else []
    return lost


def test_killed_anywhere_it_is_made_good_by_the_next(
    stage: Path, driving: Forks, record_property: Record
) -> None:
    subject = trial("restore", stage, driving)
    touched = {(point.name, point.path.partition("/")[0]) for point in subject.points.all}
    assert {("truncate", "packs"), ("rename", "packs"), ("unlink", "aside")} <= touched
    try_points(subject, record_property)


def test_every_event_that_was_in_a_pack_is_there_again(stage: Path, driving: Forks) -> None:
    subject = trial("restore", stage / "events", driving)
    store = subject.scene.copy("swept")
    assert [line.split(":")[1] for line in doctor_says(subject.scene.engine(store))] == [" owners"]
    driver.run(subject.scene.engine(store), "sweep")
    assert lost_events(subject, store) == []
    assert not doctor_says(subject.scene.engine(store))
