"""A repair that meets a fault, a look at what it left, and the repair that comes next."""

from __future__ import annotations

import dataclasses
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from helix_tui.errors import HelixError
from helix_tui.schema import SessionFilter
from helix_tui.store.layout import StoreLayout
from helix_tui.text.hashing import hash64
from tests.faults import driver, strace
from tests.faults.forks import Forks
from tests.faults.loop import KILL, Trial, differences, doctor_says, facts_of, make_good, spread
from tests.faults.scenarios import UNOWNED, build, name_of
from tests.faults.strace import Point

REPAIR = "helix doctor --repair"
_KEPT = ("packs", "aside", "store.db", "store.db-wal", "store.db-journal")


@dataclass(frozen=True, slots=True)
class RepairTrial(Trial):
    """A damaged store, what an undisturbed repair makes of it, and the damaged files."""

    damaged: dict[str, int] = dataclasses.field(default_factory=dict)

    def complaints(self, store: Path) -> list[str]:
        """What is wrong with a store that a fault left, and after it is repaired again."""
        found = self._misleading(store)
        try:
            make_good(self.scene, store)
            found += differences(self.wanted, facts_of(self.scene, store))
        except HelixError as error:
            found.append(f"the repair done again fails: {error}")
        asides = [files_in(aside) for aside in store.glob("damaged-*")]
        if asides != [self.damaged]:
            found.append(f"set aside are {asides} instead of {self.damaged}")
        return found

    def _misleading(self, store: Path) -> list[str]:
        """Before it is repaired again: everybody says what to do, or all is as it was or well."""
        engine, layout = self.scene.engine(store), StoreLayout(store)
        wrong = [check for check in engine.doctor() if not check.is_ok]
        found = [f"doctor: {check}" for check in wrong if REPAIR not in check.todo]
        if layout.unfinished_repair() is None:
            is_as_it_was = files_in(store) == self.damaged
            return found if is_as_it_was or not wrong else [*found, "damaged, and nobody says so"]
        if not wrong:
            found.append("doctor says nothing of a repair that has not come to its end")
        looks: dict[str, Callable[[], object]] = {
            "a sweep": lambda: driver.run(engine, "sweep"),
            "a dry sweep": lambda: list(engine.sweep(is_dry_run=True)),
            "reading": lambda: engine.sessions(SessionFilter()),
            "status": engine.status,
        }
        for name, look in looks.items():
            try:
                look()
                found.append(f"{name} takes a half repaired store for a store")
            except HelixError as error:
                found += [] if REPAIR in error.todo else [f"{name} says {error}"]
        return found

    def again_behind(self, point: Point) -> RepairTrial:
        """The same for the repair that follows one which was killed at a point."""
        left = self.scene.folder / "left"
        shutil.rmtree(left, ignore_errors=True)
        store = self.scene.copy("killed")
        ended = self.faulted(store, point, KILL)
        assert ended.code == -signal.SIGKILL, ended.said
        store.rename(left)
        scene = dataclasses.replace(self.scene, start="left")
        store = scene.copy("undisturbed")
        points = strace.points_of(self.forks.calls(scene.command(store)), store)
        return dataclasses.replace(self, scene=scene, points=points)


def repair_trial(folder: Path, forks: Forks) -> RepairTrial:
    """Builds the scene and runs its repair undisturbed."""
    scene = build("repair", folder / "repair")
    damaged = files_in(scene.before)
    store = scene.copy("undisturbed")
    points = strace.points_of(forks.calls(scene.command(store)), store)
    assert not doctor_says(scene.engine(store)), "an undisturbed repair leaves a sound store"
    make_good(scene, store)
    wanted = facts_of(scene, store)
    assert f"session claude:{name_of(UNOWNED)}" in wanted
    return RepairTrial(scene, forks, [], points, wanted, damaged)


def files_in(folder: Path) -> dict[str, int]:
    """The database and packs of a folder, each by a hash of its content.

    What SQLite puts there for a reader holds nothing.
    """
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size]
    return {
        str(path.relative_to(folder)): hash64(path.read_bytes())
        for path in files
        if path.relative_to(folder).parts[0] in _KEPT
    }


def spread_points(points: tuple[Point, ...], share: int) -> list[Point]:
    """So many of the points, evenly spaced."""
    return [points[index] for index in spread(range(len(points)), share)]
