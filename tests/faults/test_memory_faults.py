"""A flush or a compile killed at any write: each piece is in the daily log once when done again."""

from __future__ import annotations

import json
import re
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from helix_tui.memory.flush.agenda import Agenda
from helix_tui.memory.flush.flush_log import flush_logs
from helix_tui.memory.places import MemoryPlaces
from helix_tui.schema.memory import SpoolLine
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.faults.forks import Forks
from tests.faults.loop import TAKES_ALL, spread
from tests.faults.strace import Point
from tests.faults.summary import FAILED, KILLED
from tests.memory.sessions import worked

Record = Callable[[str, object], None]
KILL = f"signal={signal.SIGKILL.name}"
SHARES = {"first flush": 8, "flush after growth": 8, "compile": 6, "what hooks asked for": 8}
_FAILING = 4
_ERRORS = {"pwrite64": "ENOSPC", "write": "ENOSPC", "fsync": "EIO", "rename": "EIO"}
_COMMITTED = re.compile(r"`fix: the import of (\w+)`")
_CITED = re.compile(r"^- .*the path had no (\w+) in it\.` \(.*\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MemoryScene:
    """A store before a command, and what must be in its memory once when that is done."""

    name: str
    home: Path
    before: Path
    config: Path
    arguments: tuple[str, ...]
    wanted: list[str]
    learnt: list[str]

    def copy(self, name: str) -> Path:
        """A fresh copy of the store."""
        store = self.before.with_name(name)
        shutil.rmtree(store, ignore_errors=True)
        shutil.copytree(self.before, store)
        return store

    def command(self, store: Path) -> list[str]:
        return [*self.arguments, "--store", str(store), "--config", str(self.config)]

    def complaints(self, store: Path, forks: Forks) -> list[str]:
        """What is wrong once the command was given again."""
        again = forks.run(self.command(store))
        found = [] if again.code == 0 else [f"given again it ends with {again.code}: {again.said}"]
        places = MemoryPlaces(store)
        text = "".join(path.read_text() for path in sorted(places.daily.glob("*.md")))
        if sorted(_COMMITTED.findall(text)) != self.wanted:
            found.append(f"the daily log has {sorted(_COMMITTED.findall(text))}")
        if any(log.state().unwritten for log in flush_logs(places)):
            found.append("an entry was begun and not ended")
        known = "".join(path.read_text() for path in places.knowledge.glob("app*.md"))
        if self.learnt and sorted(_CITED.findall(known)) != self.learnt:
            found.append(f"the article has {sorted(_CITED.findall(known))}")
        left = [path.name for path in places.root.rglob("*") if path.name.endswith("~")]
        found += [f"{name} is left" for name in left if name.startswith(".20")]
        if Agenda(places).read() or places.spool.exists():
            found.append("something still waits to be flushed")
        return found


def _scene(name: str, folder: Path) -> MemoryScene:
    bench = Workbench(folder)
    bench.config = folder / "config.toml"
    bench.config.write_text("[memory]\nrepeat_window_seconds = 0\ncompile_interval_minutes = 0\n")
    log = ClaudeLog()
    worked(log, "alpha")
    log.write(bench.home)
    bench.sweep()
    engine = bench.engine()
    session = bench.session()
    arguments, wanted, learnt = ("flush", session.id), ["alpha"], ["alpha"]
    if name != "first flush":
        engine.flush(session.id)
        worked(log, "beta")
        log.write(bench.home)
        bench.sweep()
        wanted = learnt = ["alpha", "beta"]
    if name == "compile":
        engine.flush(session.id)
        shutil.rmtree(bench.store / "memory/knowledge")
        arguments = ("compile", "--now")
    if name == "what hooks asked for":
        line = SpoolLine("claude", session.native_id, "", "SessionEnd", 1)
        fields = ("flavor", "session", "path", "event", "at")
        spooled = json.dumps({field: getattr(line, field) for field in fields})
        (bench.store / "spool.jsonl").write_text(spooled + "\n")
        arguments = ("flush", "--spooled")
    for side in ("store.db-wal", "store.db-shm"):
        (bench.store / side).unlink(missing_ok=True)
    return MemoryScene(
        name, bench.home, bench.store, bench.config, arguments, sorted(wanted), sorted(learnt)
    )


@pytest.fixture(scope="module")
def scenes(stage: Path) -> dict[str, MemoryScene]:
    return {name: _scene(name, stage / name.replace(" ", "-")) for name in SHARES}


@pytest.fixture(scope="module")
def forks(stage: Path, scenes: dict[str, MemoryScene]) -> Forks:
    made = Forks(stage, scenes["first flush"].home)
    made.learn(*(scene.command(scene.copy("learnt")) for scene in scenes.values()))
    return made


def _points(scene: MemoryScene, forks: Forks) -> list[Point]:
    store = scene.copy("undisturbed")
    points = forks.traced(scene.command(store), (), store)
    assert scene.complaints(store, forks) == []
    return [one for one in points if one.path.startswith(("memory", "spool"))]


@pytest.mark.parametrize("name", SHARES)
def test_killed_anywhere_each_piece_is_there_once(
    scenes: dict[str, MemoryScene], forks: Forks, name: str, record_property: Record
) -> None:
    scene = scenes[name]
    points = _points(scene, forks)
    share = len(points) if TAKES_ALL else SHARES[name]
    complaints = []
    chosen = [points[at] for at in spread(range(len(points)), share)]
    for point in chosen:
        store = scene.copy("killed")
        ended = forks.faulted(scene.command(store), (), point, KILL)
        if ended.code != -signal.SIGKILL:
            complaints.append(f"{point} no longer occurs: it ended with {ended.code}. {ended.said}")
        complaints += [f"{point}: {line}" for line in scene.complaints(store, forks)]
    record_property(KILLED, f"{name}: {len(chosen)} of {len(points)}")
    assert len(chosen) >= min(share, SHARES[name])
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize("name", ["flush after growth", "what hooks asked for"])
def test_a_disk_that_fails_is_told_and_loses_nothing(
    scenes: dict[str, MemoryScene], forks: Forks, name: str, record_property: Record
) -> None:
    scene = scenes[name]
    points = [one for one in _points(scene, forks) if one.name in _ERRORS]
    chosen = points if TAKES_ALL else [points[at] for at in spread(range(len(points)), _FAILING)]
    complaints = []
    for point in chosen:
        store = scene.copy("failing")
        fault = f"error={_ERRORS[point.name]}"
        ended = forks.faulted(scene.command(store), (), point, fault)
        if ended.code not in (0, 74) or "Traceback" in ended.said:
            complaints.append(f"{point}: ends with {ended.code}: {ended.said[-300:]}")
        complaints += [f"{point}: {line}" for line in scene.complaints(store, forks)]
    record_property(FAILED, f"{name}: {len(chosen)} of {len(points)}")
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize("was_killed", [False, True])
def test_a_flush_is_acknowledged_when_its_folder_is_durable(
    scenes: dict[str, MemoryScene], forks: Forks, was_killed: bool
) -> None:
    """Also where somebody who was killed made the folder, and its name is not on the disk yet."""
    scene = scenes["first flush"]
    store = scene.copy("synced")
    if was_killed:
        places = MemoryPlaces(store)
        places.flushes.mkdir(parents=True)
        places.daily.mkdir()
    points = forks.traced(scene.command(store), (), store)
    made = [
        at for at, one in enumerate(points) if one.path == "memory/daily" and "mkdir" in one.name
    ]
    assert bool(made) != was_killed
    noted = [at for at, one in enumerate(points) if one.path.startswith("memory/flushes/")]
    done = max(at for at in noted if points[at].name == "pwrite64")
    between = points[max(made, default=0) : done]
    assert {"memory", "memory/daily"} <= {one.path for one in between if one.name == "fsync"}
