"""Distribution killed or failing at any write: every file is whole, and nothing is left over."""

from __future__ import annotations

import itertools
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from helix_tui.distribute.blocks import BEGIN
from tests.distribute.workplace import Workplace
from tests.faults import strace
from tests.faults.forks import Ended, Forks
from tests.faults.loop import KILL, TAKES_ALL, spread
from tests.faults.strace import Point
from tests.faults.summary import FAILED, KILLED

Record = Callable[[str, object], None]
Tree = dict[str, bytes]

COMMANDS: dict[str, Sequence[str]] = {
    "apply": ("distribute", "apply", "--yes"),
    "apply again": ("distribute", "apply", "--yes"),
    "retract": ("distribute", "retract", "--yes"),
    "undo": ("distribute", "undo", "--yes"),
}
# How many points of each command are tried; with HELIX_FAULTS=all it is every one.
SHARES = {"apply": 10, "apply again": 5, "retract": 6, "undo": 8}
ERRORS = {
    "pwrite64": ("ENOSPC", "EIO"),
    "write": ("ENOSPC", "EIO"),
    "fsync": ("EIO",),
    "openat": ("ENOSPC", "EROFS"),
    "mkdir": ("ENOSPC", "EROFS"),
    "rename": ("EIO", "ENOSPC"),
    "unlink": ("EIO", "EROFS"),
}
_LASTING = ("ENOSPC", "EROFS")
_FAILING = 5
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Scene:
    """A command, the folder that it finds, and what it comes to undisturbed."""

    name: str
    folder: Path
    forks: Forks
    points: list[Point]
    before: Tree
    wanted: Tree

    def killed_at(self, point: Point) -> list[str]:
        root = restored(self.folder)
        ended = self.forks.faulted(command(self.name, root), (), point, KILL)
        if ended.code != -signal.SIGKILL:
            return [f"{point} no longer occurs: it ended with {ended.code}. {ended.said}"]
        return [f"{point}: {line}" for line in self.complaints(root)]

    def failed_at(self, point: Point, error: str) -> list[str]:
        root = restored(self.folder)
        is_lasting = error in _LASTING and point.name != "write"
        ended = self.forks.faulted(
            command(self.name, root), (), point, f"error={error}", is_lasting=is_lasting
        )
        wrong = [*unplain(ended), *self.complaints(root)]
        return [f"{point}, {error}: {line}" for line in wrong]

    def complaints(self, root: Path) -> list[str]:
        """What is wrong with what a fault left, and behind the same command once more."""
        found = self._torn(root)
        again = self.forks.run(command(self.name, root))
        if again.code not in ((0, 1) if self.name == "undo" else (0,)):
            found.append(f"once more it ends with {again.code}: {again.said}")
        if (now := tree(root)) != self.wanted:
            found.append(f"once more it comes to something else: {differing(now, self.wanted)}")
        if self.name != "undo":
            checked = self.forks.run([*COMMANDS_CHECK, *options(root)])
            if checked.code:
                found.append(f"check ends with {checked.code}: {checked.said}")
        left = [path.name for path in root.rglob("*") if path.name.endswith("~")]
        return found + [f"{name} is left" for name in left]

    def _torn(self, root: Path) -> list[str]:
        """Every file is as before or as wanted, but for temporary ones."""
        return [
            f"{name} is neither as before nor as wanted"
            for name, data in tree(root).items()
            if not name.endswith("~") and data not in (self.before.get(name), self.wanted.get(name))
        ] + [
            f"{name} is gone"
            for name in self.before
            if name in self.wanted and not (root / name).exists()
        ]


COMMANDS_CHECK = ("distribute", "check")


def tree(root: Path) -> Tree:
    """The files of repositories."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for name in ("one", "two", "three")
        for path in sorted((root / name).rglob("*"))
        if path.is_file()
    }


def differing(now: Tree, wanted: Tree) -> list[str]:
    return sorted(name for name in {*now, *wanted} if now.get(name) != wanted.get(name))


def options(root: Path) -> list[str]:
    return ["--config", str(root / "config.toml"), "--store", str(root / "store")]


def command(name: str, root: Path) -> list[str]:
    return [*COMMANDS[name], *options(root)]


def restored(folder: Path) -> Path:
    """The folder as the command finds it, always at the same place: the ledger names paths."""
    root = folder / "at"
    shutil.rmtree(root)
    shutil.copytree(folder / "before", root)
    return root


def unplain(ended: Ended) -> list[str]:
    """An error is told in a sentence."""
    if ended.code == 0:
        return []
    if ended.code not in (1, 74, 75):
        return [f"ends with {ended.code}: {ended.said[-500:]}"]
    return [] if "Traceback" not in ended.said else [f"says {ended.said!r}"]


def furnish(root: Path) -> Workplace:
    """Three repositories that have files of their own, and what is to be taught there."""
    place = Workplace(root, "one", "two", "three")
    (root / "one" / "AGENTS.md").write_text("# One\n")
    (root / "two" / "AGENTS.md").write_bytes(b"# Two\r\nno end")
    (root / "two" / "CLAUDE.md").write_text("@AGENTS.md\n")
    place.teach("a", scope="repo:one, repo:two, repo:three")
    place.teach("b", "Use pnpm, never npm.", "repo:one")
    place.teach("c", "Write types.", "repo:two, path:src/**")
    place.teach("d", "1. Bump\n2. Tag\n3. Build\n4. Push", "repo:three")
    return place


@pytest.fixture(scope="module")
def forks(stage: Path) -> Forks:
    home = stage / "home"
    home.mkdir()
    made = Forks(stage, home)
    furnish(stage / "learning")
    root = stage / "learning"
    made.learn(command("apply", root), command("retract", root), command("undo", root))
    return made


@pytest.fixture
def scene(stage: Path, forks: Forks) -> Callable[[str], Scene]:
    def made(name: str) -> Scene:
        folder = stage / f"distribute-{next(_numbers)}"
        root = folder / "at"
        place = furnish(root)
        if name != "apply":
            assert forks.run(command("apply", root)).code == 0
        if name == "apply again":
            place.teach("a", "Call `uv run`.", "repo:one, repo:two, repo:three", version="1.1.0")
            place.forget("d")
        before = tree(root)
        shutil.copytree(root, folder / "before")
        points = forks.traced(command(name, root), (), root)
        return Scene(name, folder, forks, points, before, tree(root))

    return made


@pytest.mark.parametrize("name", COMMANDS)
def test_killed_anywhere_every_file_is_whole_and_it_can_be_done_again(
    scene: Callable[[str], Scene], name: str, record_property: Record
) -> None:
    subject = scene(name)
    assert subject.wanted != subject.before
    share = len(subject.points) if TAKES_ALL else SHARES[name]
    chosen = [subject.points[at] for at in spread(range(len(subject.points)), share)]
    complaints = [line for point in chosen for line in subject.killed_at(point)]
    record_property(KILLED, f"distribute {name}: {len(chosen)} of {len(subject.points)}")
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize("name", ["apply", "retract", "undo"])
def test_failing_anywhere_is_told_and_nothing_is_lost(
    scene: Callable[[str], Scene], name: str, record_property: Record
) -> None:
    subject = scene(name)
    cases = [(point, error) for point in subject.points for error in ERRORS.get(point.name, ())]
    chosen = cases if TAKES_ALL else [cases[at] for at in spread(range(len(cases)), _FAILING)]
    complaints = [line for case in chosen for line in subject.failed_at(*case)]
    record_property(FAILED, f"distribute {name}: {len(chosen)} of {len(cases)}")
    assert not complaints, "\n".join(complaints)


def test_files_follow_the_line_that_notes_them(scene: Callable[[str], Scene]) -> None:
    """What a power cut would find: the ledger is on the disk before any file is put in place."""
    unsynced: set[str] = set()
    for point in scene("apply").points:
        if point.name == "fsync":
            unsynced.discard(point.path)
        elif point.name in ("write", "pwrite64"):
            unsynced.add(point.path)
        elif point.name in ("rename", "unlink"):
            assert not {"review/distributed.jsonl", point.path} & unsynced, point


def test_two_at_once_are_as_one(tmp_path: Path) -> None:
    root = tmp_path / "at"
    furnish(root)
    home = tmp_path / "home"
    home.mkdir()
    words = [sys.executable, "-m", "helix_tui", *command("apply", root)]
    environ = strace.environ(home)
    both = [
        subprocess.Popen(words, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(2)
    ]
    said = [process.communicate()[0].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    for data in tree(root).values():
        assert data.count(BEGIN.encode()) <= 1
    checked = subprocess.run(
        [sys.executable, "-m", "helix_tui", *COMMANDS_CHECK, *options(root)],
        env=environ,
        check=False,
    )
    assert checked.returncode == 0
