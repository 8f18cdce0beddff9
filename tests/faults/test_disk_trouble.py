"""A disk that is full or read-only: told plainly, nothing lost, and eviction still works."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_tui.errors import StoreError
from helix_tui.schema import SessionFilter
from tests.claude_log import ClaudeLog
from tests.conftest import Ran, Workbench
from tests.faults import strace, tmpfs
from tests.faults.loop import doctor_says

_LONG_AGO = -90_000_000
_LOG_BYTES = 100_000


def write_logs(home: Path, numbers: range) -> None:
    """Logs that hardly compress: each takes about a twentieth of the small disk."""
    for number in numbers:
        name = f"{number:08d}-0000-4000-8000-000000000000"
        log = ClaudeLog(session=name, start=_LONG_AGO + number * 1000)
        log.prompt("make it work")
        for _ in range(4):
            log.step("make", os.urandom(_LOG_BYTES // 4).hex())
        log.reply("It works.")
        log.write(home)


@pytest.fixture
def small(bench: Workbench, tmp_path: Path) -> Iterator[Workbench]:
    """A store on a disk of 4 MB."""
    with tmpfs.mounted(tmp_path / "small", "4m") as folder:
        bench.store = folder / "store"
        yield bench


def with_caps(bench: Workbench, soft: str, hard: str) -> Workbench:
    bench.config = bench.home / "config.toml"
    bench.config.write_text(
        f'[sweep]\nworkers = 0\n[retention]\nraw_soft_cap_bytes = "{soft}"\n'
        f'raw_hard_cap_bytes = "{hard}"\n'
    )
    return bench


def helix(bench: Workbench, *arguments: str, check: bool = True) -> Ran:
    return bench.helix(*arguments, check=check, HELIX_CONFIG=str(bench.config))


class TestSmallDisk:
    """Low space stops adding and evicts nothing; a full disk never blocks eviction."""

    def test_more_than_fits_ends_with_74_and_keeps_what_was_committed(
        self, small: Workbench
    ) -> None:
        write_logs(small.home, range(60))
        with_caps(small, "1 GiB", "1 GiB")
        assert small.config is not None
        command = strace.python(
            "tests.faults.driver", "sweep", small.home, small.store, small.config
        )
        ran = strace.run(command, small.home)
        assert ran.returncode == 74, ran.stderr
        assert ran.stderr.count("\n") == 1
        assert "nearly full" in ran.stderr
        kept = small.sessions()
        assert 4 <= len(kept) < 60
        assert {session.raw for session in kept.values()} == {"full"}
        assert not doctor_says(small.engine())
        again = helix(small, "--sweep", check=False)
        assert again.code == 74
        assert "Took in 0 of 60 logs" in again.out  # it reports what it could do
        assert "Traceback" not in again.err
        assert small.sessions() == kept
        assert not doctor_says(small.engine())

    def test_full_to_the_last_byte_it_still_evicts(self, small: Workbench) -> None:
        write_logs(small.home, range(14))
        with_caps(small, "1 GiB", "1 GiB")
        assert helix(small, "--sweep", "--json").json["ingested"] == 14
        filler = tmpfs.fill(small.store.parent)
        assert tmpfs.free(small.store.parent) == 0
        with_caps(small, "300 KiB", "600 KiB")
        report = helix(small, "retain", "--json").json
        assert report["final_usage"] <= report["soft_cap"] < report["raw_usage"]
        assert report["data_loss"] == []
        assert not doctor_says(small.engine())
        raw = {session.raw for session in small.sessions().values()}
        assert raw == {"full", "evicted"}
        assert all(
            small.engine().digest(session) for session in small.engine().sessions(SessionFilter())
        )
        filler.unlink()
        write_logs(small.home, range(14, 16))
        with_caps(small, "1 GiB", "1 GiB")
        assert helix(small, "--sweep", "--json").json["ingested"] == 2
        assert (small.store / "reserve").exists()
        assert len(small.sessions()) == 16
        assert not doctor_says(small.engine())

    def test_sweep_of_a_full_disk_evicts_to_the_caps_and_says_that_nothing_was_added(
        self, small: Workbench
    ) -> None:
        write_logs(small.home, range(14))
        with_caps(small, "1 GiB", "1 GiB")
        helix(small, "--sweep")
        write_logs(small.home, range(14, 30))
        tmpfs.fill(small.store.parent)
        with_caps(small, "300 KiB", "600 KiB")
        ran = helix(small, "--sweep", check=False)
        assert ran.code == 74, ran.err
        assert "Traceback" not in ran.err
        usage = helix(small, "retain", "--dry-run", "--json").json
        assert usage["raw_usage"] <= usage["soft_cap"]
        assert not doctor_says(small.engine())

    def test_low_space_alone_evicts_nothing(self, small: Workbench) -> None:
        write_logs(small.home, range(14))
        with_caps(small, "1 GiB", "1 GiB")
        helix(small, "--sweep")
        before = small.sessions()
        tmpfs.fill(small.store.parent, leave=64 << 10)
        write_logs(small.home, range(14, 18))
        ran = helix(small, "--sweep", check=False)
        assert ran.code == 74, ran.err
        assert "nothing is evicted for it" in ran.err
        assert helix(small, "retain", "--json").json["evicted"] == []
        assert small.sessions() == before
        assert not doctor_says(small.engine())


class TestReadOnlyStore:
    """What is there can be read; what cannot be written is said."""

    def test_file_system_that_is_read_only(self, bench: Workbench, tmp_path: Path) -> None:
        with tmpfs.mounted(tmp_path / "disk", "512m") as folder:
            bench.store = folder / "store"
            write_logs(bench.home, range(2))
            with_caps(bench, "1 GiB", "1 GiB")
            helix(bench, "--sweep")
            write_logs(bench.home, range(2, 3))
            tmpfs.make_read_only(folder)
            for command in (["--sweep"], ["retain"], ["forget", "claude:00000000-0000"]):
                ran = helix(bench, *command, check=False)
                assert (ran.code, ran.out) == (74, ""), ran.err
                assert "Make the folder writable" in ran.err
            assert len(helix(bench, "sessions", "--json").json["sessions"]) == 2
            shown = helix(bench, "show", "claude:00000001", "--events", "--json").json
            assert len(shown["events"]) == 10
            assert helix(bench, "status", "--json").json["sessions"] == 2
            assert helix(bench, "search", "work", "--json").json["total"] == 2
            assert helix(bench, "usage", "--json").json["total"]["sessions"] == 2
            assert helix(bench, "doctor").code == 0

    def test_folder_that_may_not_be_written(self, unprivileged: Path) -> None:
        bench = with_caps(Workbench(unprivileged), "1 GiB", "1 GiB")
        write_logs(bench.home, range(2))
        bench.sweep()
        write_logs(bench.home, range(2, 3))
        folders = [bench.store, *(path for path in bench.store.rglob("*") if path.is_dir())]
        for folder in folders:
            folder.chmod(0o500)
        try:
            with pytest.raises(StoreError, match="Make the folder writable") as caught:
                bench.sweep()
            assert caught.value.exit_code == 74
            assert len(bench.sessions()) == 2
            assert all(len(bench.events(name)) == 10 for name in bench.sessions())
            assert bench.engine().status().is_created
            assert not doctor_says(bench.engine())
        finally:
            for folder in folders:
                folder.chmod(0o700)
        bench.sweep()
        assert len(bench.sessions()) == 3
