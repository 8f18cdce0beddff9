"""A verdict killed or failing at any write is there whole or not at all, and its files follow."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults import hasty
from tests.faults.forks import Forks
from tests.faults.loop import TAKES_ALL, spread
from tests.faults.strace import Point
from tests.faults.summary import FAILED, KILLED
from tests.faults.verdict_loop import VerdictTrial, verdict_trial
from tests.faults.verdict_scenes import VERDICTS, Bench, build

Record = Callable[[str, object], None]

# How many points of each command are tried; with HELIX_FAULTS=all it is every one.
SHARES = {
    "first approve": 10,
    "approve that updates": 9,
    "approve behind edits": 10,
    "reject": 7,
    "undo": 7,
    "merge": 8,
    "split": 4,
    "auto-approve": 9,
}
ERRORS = {
    "pwrite64": ("ENOSPC", "EIO"),
    "write": ("ENOSPC", "EIO"),
    "fsync": ("EIO", "ENOSPC"),
    "ftruncate": ("EIO",),
    "openat": ("ENOSPC", "EROFS"),
    "mkdir": ("ENOSPC", "EROFS"),
    "rename": ("EIO", "ENOSPC"),
    "unlink": ("EIO", "EROFS"),
    "fchmod": ("EROFS",),
}
# A full or read-only disk stays so; a bad block may be met once.
_LASTING = ("ENOSPC", "EROFS")
_FAILING = 6
_numbers = itertools.count()


@pytest.fixture(scope="module")
def bench(stage: Path) -> Bench:
    made = Bench(stage / "bench")
    made.sweep()
    return made


@pytest.fixture(scope="module")
def forks(stage: Path, bench: Bench) -> Forks:
    made = Forks(stage, bench.home)
    scenes = [build(name, bench, stage / name) for name in ("auto-approve", "merge", "undo")]
    made.learn(*(scene.command(scene.copy("learnt")) for scene in scenes))
    return made


@pytest.fixture
def trial(stage: Path, bench: Bench, forks: Forks) -> Callable[..., VerdictTrial]:
    def made(name: str, *changes: str) -> VerdictTrial:
        folder = stage / f"{next(_numbers)}"
        return verdict_trial(build(name, bench, folder, *changes), forks)

    return made


class TestKilledVerdict:
    """The line is durable first; files, mark and queue follow, at the latest with the next one."""

    @pytest.mark.parametrize("name", VERDICTS)
    def test_killed_anywhere_it_is_there_whole_or_not_at_all(
        self, trial: Callable[..., VerdictTrial], name: str, record_property: Record
    ) -> None:
        subject = trial(name)
        chosen = subject.chosen(len(subject.points) if TAKES_ALL else SHARES[name])
        complaints = [line for point in chosen for line in subject.killed_at(point)]
        record_property(KILLED, f"{name}: {len(chosen)} of {len(subject.points)}")
        assert len(chosen) >= SHARES[name]
        assert not complaints, "\n".join(complaints)

    def test_at_least_60_points_are_tried(self) -> None:
        assert sum(SHARES.values()) >= 60


class TestFailingVerdict:
    """A disk that is full or bad is told plainly: the verdict is refused, or kept and finished."""

    @pytest.mark.parametrize("name", ["first approve", "approve behind edits", "merge"])
    def test_is_refused_or_kept_and_nothing_is_lost(
        self, trial: Callable[..., VerdictTrial], name: str, record_property: Record
    ) -> None:
        subject = trial(name)
        cases = [(point, error) for point in subject.points for error in ERRORS.get(point.name, ())]
        chosen = cases if TAKES_ALL else [cases[at] for at in spread(range(len(cases)), _FAILING)]
        complaints = [
            line
            for point, error in chosen
            for line in subject.failed_at(point, error, is_lasting=_is_lasting(point, error))
        ]
        record_property(FAILED, f"{name}: {len(chosen)} of {len(cases)}")
        assert not complaints, "\n".join(complaints)


class TestOrderOfVerdicts:
    """What a power cut would find: the line is on the disk before anything relies on it."""

    @pytest.mark.parametrize("name", ["first approve", "merge", "undo"])
    def test_nothing_relies_on_what_is_not_on_the_disk(
        self, trial: Callable[..., VerdictTrial], name: str
    ) -> None:
        assert relied_too_early(trial(name).points) == []

    @pytest.mark.parametrize("change", [hasty.UNSYNCED_LINE, hasty.UNSYNCED_FILES])
    def test_haste_would_be_noticed(self, trial: Callable[..., VerdictTrial], change: str) -> None:
        assert relied_too_early(trial("merge", change).points)

    def test_files_written_before_the_line_would_be_noticed(
        self, trial: Callable[..., VerdictTrial]
    ) -> None:
        subject = trial("merge", hasty.FILES_FIRST)
        assert any(map(subject.killed_at, subject.points))


def _is_lasting(point: Point, error: str) -> bool:
    # What the command says is written, too, and would be lost with the rest.
    return error in _LASTING and point.name != "write"


def relied_too_early(points: list[Point]) -> list[str]:
    """Calls that rely on something that is not on the disk yet.

    A file of the catalog is put in place: the journal must be synced by then, and the file itself.
    The mark is put in place: so must the catalog's folder be.
    """
    unsynced: set[str] = set()
    found: list[str] = []
    for point in points:
        if point.name == "fsync":
            unsynced.discard(point.path)
        elif point.name in ("write", "pwrite64"):
            unsynced.add(point.path)
        elif point.name in ("rename", "unlink"):
            is_of_catalog = point.path.startswith("catalog/")
            needed = {"review/journal.jsonl", point.path} if is_of_catalog else {"catalog"}
            early = sorted(needed & unsynced)
            found += [f"{point} before {early} are synced"] if early else []
            unsynced |= {"catalog"} if is_of_catalog else set()
    return found
