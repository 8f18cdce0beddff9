"""A write that fails is told in a sentence, harms nothing, and is made good by the next sweep."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path, PurePath

import pytest

from tests.faults.forks import Forks
from tests.faults.loop import TAKES_ALL, Trial, spread, trial
from tests.faults.repair_loop import repair_trial
from tests.faults.strace import Point
from tests.faults.summary import FAILED

Record = Callable[[str, object], None]

# What a disk may answer to each call.
_OPENING = ("EROFS", "ENOSPC")
ERRORS = {
    "pwrite64": ("ENOSPC", "EIO"),
    "write": ("ENOSPC", "EIO"),
    "fsync": ("EIO", "ENOSPC"),
    "fdatasync": ("EIO",),
    "syncfs": ("EIO",),
    "ftruncate": ("EIO", "ENOSPC"),
    "truncate": ("EIO",),
    "rename": ("EIO", "EROFS"),
    "fallocate": ("ENOSPC",),
    "sendfile": ("ENOSPC", "EIO"),
    "open": _OPENING,
    "openat": _OPENING,
    "mkdir": _OPENING,
    "mkdirat": _OPENING,
    "unlink": ("EIO", "EROFS"),
    "unlinkat": ("EIO", "EROFS"),
    "chmod": ("EROFS",),
    "fchmod": ("EROFS",),
    "fchown": ("EROFS",),
}
# A full or read-only disk stays so; a bad block may be met once.
_LASTING = ("ENOSPC", "EROFS")
_SHARE = 8
_BESIDES = re.compile(r"^no room could be set aside for evicting|^\d+\.pack could not be set aside")
_SQLITES_OWN = ("store.db", "store.db-wal", "store.db-shm", "store.db-journal")
NAMES = ("cold sweep", "sweep that evicts", "retain", "restore", "repair")
Case = tuple[int, str, bool]


class TestFailingCall:
    """The job ends with 74 and a plain sentence, or the failed call did not matter."""

    @pytest.mark.parametrize("name", NAMES)
    def test_is_told_plainly_and_made_good_by_the_next(
        self, stage: Path, driving: Forks, name: str, record_property: Record
    ) -> None:
        build = repair_trial if name == "repair" else partial(trial, name)
        subject = build(stage, driving)
        cases = _cases(subject)
        chosen = cases if TAKES_ALL else [cases[i] for i in spread(range(len(cases)), _SHARE)]
        wrong = [line for case in chosen for line in _complaints(subject, *case)]
        record_property(FAILED, f"{name}: {len(chosen)} of {len(cases)}")
        assert not wrong, "\n".join(wrong)


def _cases(subject: Trial) -> list[Case]:
    """Every point with every error that it may meet."""
    return [
        (index, error, error in _LASTING)
        for index, point in enumerate(subject.points.all)
        for error in ERRORS.get(point.name, ())
    ]


def _complaints(subject: Trial, index: int, error: str, is_lasting: bool) -> list[str]:
    scene, point = subject.scene, subject.points.all[index]
    store = scene.copy("failing")
    ended = subject.faulted(store, point, f"error={error}", is_lasting=is_lasting)
    wrong = subject.complaints(store)
    shutil.rmtree(store, ignore_errors=True)
    if ended.code == 74:
        wrong += _unplain(point, error, ended.said)
    elif ended.code != 0 or not _is_harmless(subject.points.all, index):
        wrong.append(f"ends with {ended.code}: {ended.said[-500:]}")
    return [f"{point}, {error}{', lasting' * is_lasting}: {line}" for line in wrong]


def _unplain(point: Point, error: str, said: str) -> list[str]:
    """What is not plain in a message: one line of ours, which for a full disk says so.

    That the reserve, or unowned bytes of a pack, found no room, either, may be said besides.
    """
    lines = [line for line in said.splitlines() if not _BESIDES.search(line)]
    is_plain = len(lines) == 1 and lines[0].startswith("helix: The store in ")
    if "rollback" in said:
        is_plain = False  # that is about SQLite, not about what went wrong
    if error == "ENOSPC" and point.name == "pwrite64" and not point.path.endswith("-shm"):
        is_plain = is_plain and "Free some space" in said
    return [] if is_plain else [f"says {said!r}"]


def _is_harmless(points: tuple[Point, ...], index: int) -> bool:
    """Whether a job may succeed although this call failed.

    SQLite's own files get the owner of the database and are removed at the end: either may fail.
    So may its sync of the folder, after which a journal could come back that is of no use.
    A repair reads a copy of the damaged database: where it cannot be made in one way it is made in
    another. The reserve is made again by the next sweep, and unowned bytes that find no room beside
    their pack stay in it until one does. Before the first write to the log stands
    what makes SQLite keep one: where that fails it goes on with a journal, until the next opening.
    Behind the last one stands the closing, which copies the log into the database; so does the
    next opening.
    """
    point = points[index]
    name = PurePath(point.path).name.replace("salvage.db", "store.db")
    if point.name == "sendfile":
        return True
    if name in _SQLITES_OWN and point.name in ("fchown", "unlink", "unlinkat"):
        return True
    if point.path.startswith("aside/") and point.name == "write":
        return True
    if point.path == "reserve" or (point.path == "." and point.name == "fdatasync"):
        return True
    if point.path in ("store.db", "store.db-journal") and point.name != "openat":
        return not any(map(_is_commit, points[:index])) or not any(map(_is_commit, points[index:]))
    return not any(map(_is_commit, points[index:]))


def _is_commit(point: Point) -> bool:
    return point.name == "pwrite64" and point.path == "store.db-wal"
