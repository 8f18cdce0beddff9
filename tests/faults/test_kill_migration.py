"""A migration killed at any write leaves the old store or the new one, and the next goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from helix_tui.errors import HelixError
from helix_tui.schema import SessionFilter
from tests.faults import strace
from tests.faults.forks import Forks
from tests.faults.loop import Trial, differences, doctor_says, facts_of, make_good, try_points
from tests.faults.scenarios import build
from tests.store.released.samples import OLDER, SESSIONS

Record = Callable[[str, object], None]
_TODO = "helix --sweep"


@dataclass(frozen=True, slots=True)
class MigrationTrial(Trial):
    """A store of an earlier version, and what an undisturbed migration makes of it."""

    def complaints(self, store: Path) -> list[str]:
        """What is wrong with a store that a fault left, and after it is brought up to date."""
        engine = self.scene.engine(store)
        wrong = [check for check in engine.doctor() if not check.is_ok]
        found = [f"doctor: {check}" for check in wrong if _TODO not in check.todo]
        try:
            engine.sessions(SessionFilter())
        except HelixError as error:
            found += [] if _TODO in error.todo else [f"reading says {error}"]
        try:
            make_good(self.scene, store)
            found += differences(self.wanted, facts_of(self.scene, store))
        except HelixError as error:
            found.append(f"brought up to date again it fails: {error}")
        return found


def migration_trial(name: str, folder: Path, forks: Forks) -> MigrationTrial:
    """Runs a migration undisturbed."""
    scene = build(name, folder / "-".join(name.split()))
    store = scene.copy("undisturbed")
    points = strace.points_of(forks.calls(scene.command(store)), store)
    assert not doctor_says(scene.engine(store)), "an undisturbed migration leaves a sound store"
    make_good(scene, store)
    wanted = facts_of(scene, store)
    assert all(f"digest of claude:{session}" in wanted for session in SESSIONS)
    return MigrationTrial(scene, forks, [], points, wanted)


@pytest.mark.parametrize("name", OLDER)
def test_killed_anywhere_it_is_made_good_by_the_next(
    stage: Path, driving: Forks, name: str, record_property: Record
) -> None:
    subject = migration_trial(f"migration of {name}", stage, driving)
    assert any("store.before" in point.path for point in subject.points.all)
    try_points(subject, record_property)
