"""Hooks and guards put in or taken out, killed or failing at any write: files stay whole."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.forks import Forks
from tests.faults.loop import KILL, TAKES_ALL, spread
from tests.faults.strace import Point
from tests.faults.summary import FAILED, KILLED

Record = Callable[[str, object], None]
COMMANDS = {
    "install": ("hooks", "install", "claude", "--guard", "--json"),
    "uninstall": ("hooks", "uninstall", "claude", "--json"),
}
ERRORS = {"write": "ENOSPC", "pwrite64": "ENOSPC", "fsync": "EIO", "rename": "EIO"}
THEIRS = b'{\r\n\t"hooks": {"PreToolUse": []}, "n": 3e0}'
_KILLED, _FAILING = 4, 3


@dataclass(frozen=True, slots=True)
class Scene:
    """A command, the home that it finds, and an agent's file before and behind it."""

    name: str
    home: Path
    forks: Forks
    points: list[Point]
    before: bytes
    wanted: bytes

    def tried(self, point: Point, fault: str) -> list[str]:
        """What is wrong behind a fault, and once the same was asked for again."""
        restored(self.home)
        ended = self.forks.faulted(command(self.name, self.home), (), point, fault)
        found = [f"it was not killed: {ended.code}"] if fault == KILL and (
            ended.code != -signal.SIGKILL
        ) else []  # fmt: skip
        if "Traceback" in ended.said:
            found.append(f"it says {ended.said!r}")
        path = settings(self.home)
        if path.read_bytes() not in (self.before, self.wanted):
            found.append(f"the file is torn: {path.read_bytes()!r}")
        again = self.forks.run(command(self.name, self.home))
        if again.code or path.read_bytes() != self.wanted:
            found.append(f"once more it ends with {again.code}: {again.said}")
        self.forks.run(command("uninstall", self.home))
        left = sorted(one.name for one in path.parent.iterdir())
        if path.read_bytes() != THEIRS or left != [path.name]:
            found.append(f"taken out, it is not as before: {left}")
        return [f"{point}, {fault}: {line}" for line in found]


def settings(home: Path) -> Path:
    return home / ".claude/settings.json"


def command(name: str, home: Path) -> list[str]:
    return [*COMMANDS[name], "--store", str(home / "store"), "--config", str(home / "config.toml")]


def restored(home: Path) -> None:
    """The home as the command finds it, always at the same place."""
    shutil.rmtree(home)
    shutil.copytree(home.with_name(f"{home.name}-before"), home)


@pytest.fixture(scope="module")
def scenes(stage: Path) -> dict[str, Scene]:
    home = stage / "hooked"
    (home / ".claude").mkdir(parents=True)
    settings(home).write_bytes(THEIRS)
    roots = json.dumps([str(home / ".claude")])
    (home / "config.toml").write_text(f"[sources.claude]\nroots = {roots}\n")
    forks = Forks(stage, home)
    forks.learn(command("install", home), command("uninstall", home))
    made = {}
    for name in COMMANDS:
        placed = stage / name
        shutil.copytree(home, placed)
        (placed / "config.toml").write_text(
            (home / "config.toml").read_text().replace(str(home), str(placed))
        )
        if name == "uninstall":
            assert forks.run(command("install", placed)).code == 0
        shutil.copytree(placed, stage / f"{name}-before")
        before = settings(placed).read_bytes()
        points = forks.traced(command(name, placed), (), placed / ".claude")
        made[name] = Scene(name, placed, forks, points, before, settings(placed).read_bytes())
    return made


@pytest.mark.parametrize("name", COMMANDS)
def test_killed_anywhere_the_file_is_whole(
    scenes: dict[str, Scene], name: str, record_property: Record
) -> None:
    scene = scenes[name]
    share = len(scene.points) if TAKES_ALL else _KILLED
    chosen = [scene.points[at] for at in spread(range(len(scene.points)), share)]
    complaints = [line for point in chosen for line in scene.tried(point, KILL)]
    record_property(KILLED, f"hooks {name}: {len(chosen)} of {len(scene.points)}")
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize("name", COMMANDS)
def test_failing_anywhere_the_file_is_whole(
    scenes: dict[str, Scene], name: str, record_property: Record
) -> None:
    scene = scenes[name]
    cases = [(one, f"error={ERRORS[one.name]}") for one in scene.points if one.name in ERRORS]
    chosen = cases if TAKES_ALL else [cases[at] for at in spread(range(len(cases)), _FAILING)]
    complaints = [line for case in chosen for line in scene.tried(*case)]
    record_property(FAILED, f"hooks {name}: {len(chosen)} of {len(cases)}")
    assert not complaints, "\n".join(complaints)
