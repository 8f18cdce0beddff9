"""One writer at a time, no writes where nothing may be written, and no lock outlives its holder."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.faults import strace
from tests.faults.loop import differences, doctor_says, facts_of
from tests.faults.scenarios import Scene, build
from tests.forked import Done, run_helix

_MIB = 1 << 20


@contextmanager
def held(scene: Scene, store: Path) -> Iterator[subprocess.Popen[str]]:
    """A sweep that stands in the midst of its work."""
    command = strace.python("tests.faults.driver", "hold", scene.home, store, scene.config)
    with subprocess.Popen(
        command,
        env=strace.environ(scene.home),
        cwd=strace.ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            yield holder
        finally:
            holder.kill()


def helix(scene: Scene, store: Path, *arguments: str) -> Done:
    return run_helix([*arguments, "--store", str(store)], strace.environ(scene.home))


def sweep_of(scene: Scene, store: Path) -> Done:
    return helix(scene, store, "--sweep", "--config", str(scene.config))


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return build("sweep after growth", tmp_path / "scene")


class TestTwoSweeps:
    """One works, the other says so; a dead one holds nothing."""

    def test_second_says_so_and_the_first_is_unharmed(self, scene: Scene) -> None:
        alone, store = scene.copy("alone"), scene.copy("store")
        assert sweep_of(scene, alone).code == 0
        with held(scene, store) as holder:
            for arguments in (["--sweep"], ["retain"], ["forget", "claude:aaaaaaaa-0000"]):
                refused = helix(scene, store, *arguments)
                assert (refused.code, refused.out) == (75, "")
                assert "Another sweep is writing" in refused.err
                assert "nothing was changed" in refused.err
            readers = (["sessions"], ["status"], ["doctor"])
            for arguments in readers:
                ran = helix(scene, store, *arguments)
                assert ran.code == 0, ran.err
            holder.communicate("go on\n", timeout=60)
            assert holder.returncode == 0
        assert not differences(_plain(scene, alone), _plain(scene, store))

    def test_killed_holder_frees_the_lock_at_once(self, scene: Scene) -> None:
        alone, store = scene.copy("alone"), scene.copy("store")
        assert sweep_of(scene, alone).code == 0
        with held(scene, store) as holder:
            assert sweep_of(scene, store).code == 75
            holder.send_signal(signal.SIGKILL)
            assert holder.wait() == -signal.SIGKILL
            ran = sweep_of(scene, store)
        assert ran.code == 0, ran.err
        assert not differences(_plain(scene, alone), _plain(scene, store))


def _plain(scene: Scene, store: Path) -> dict[str, object]:
    """Facts without the folder's listing: only the real command keeps a log there."""
    return {name: fact for name, fact in facts_of(scene, store).items() if name != "files"}


def changes_in(calls: list[strace.Call], folder: Path) -> list[str]:
    """The calls that changed, or were to change, something in a folder."""
    return [f"{call.name}({call.text}" for call in calls if call.is_change and call.touches(folder)]


class TestReadOnlyPlaces:
    """Sources are only read, by workers too; doctor writes nothing, not even beside the store."""

    def test_sources_are_never_written(self, traceable: None, bench: Workbench) -> None:
        for number in range(2):
            log = ClaudeLog(session=f"{number:08d}-0000-4000-8000-000000000000")
            log.prompt()
            for _ in range(9):
                log.step("make", "x" * 4 * _MIB)
            log.write(bench.home)
        bench.config = bench.store.with_name("config.toml")
        bench.config.write_text(
            '[retention]\nraw_soft_cap_bytes = "1 B"\nraw_hard_cap_bytes = "1 GiB"\n'
        )
        source = bench.home / ".claude"
        before = _stamps(source)
        for command in (
            ["--sweep"],
            ["retain"],
            ["doctor"],
            ["show", "claude:00000000", "--events"],
            ["sessions"],
            ["status"],
        ):
            arguments = (*command, "--store", bench.store, "--config", bench.config)
            calls = strace.traced(strace.python("helix_tui", *arguments), bench.home)
            assert changes_in(calls, source) == [], command
            if command == ["--sweep"]:
                readers = {call.process for call in calls if call.touches(source)}
                assert len(readers) > 1, "workers read, too"
        assert _stamps(source) == before

    def test_doctor_writes_nothing_at_all(self, traceable: None, scene: Scene) -> None:
        store = scene.copy("store")
        assert sweep_of(scene, store).code == 0
        before = _stamps(store)
        arguments = ("doctor", "--store", store, "--config", scene.config)
        calls = strace.traced(strace.python("helix_tui", *arguments), scene.home)
        assert changes_in(calls, store) == []
        assert _stamps(store) == before
        assert not doctor_says(scene.engine(store))

    def test_doctor_leaves_all_that_a_killed_sweep_left(self, scene: Scene) -> None:
        store = scene.copy("store")
        with held(scene, store) as holder:
            holder.send_signal(signal.SIGKILL)
        assert (store / "store.db-wal").stat().st_size > 0
        before = _contents(store)
        ran = helix(scene, store, "doctor", "--config", str(scene.config))
        assert ran.code == 0, ran.out
        assert _contents(store) == before


def _stamps(folder: Path) -> dict[str, tuple[int, ...]]:
    """Everything below a folder, with what a write would change."""
    found: dict[str, tuple[int, ...]] = {}
    for path in [folder, *folder.rglob("*")]:
        stat = os.lstat(path)
        found[str(path)] = (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    return found


def _contents(store: Path) -> dict[str, bytes]:
    """What each file says, but for SQLite's index of its log, which holds nothing of its own."""
    files = [path for path in store.rglob("*") if path.is_file() and path.suffix != ".db-shm"]
    return {str(path): path.read_bytes() for path in files}
