"""Codex compresses, archives and copies rollouts: the session stays what it was."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from helix_tui.schema import Session
from tests.capture.alike import assert_counted_alike
from tests.codex_log import CHILD, THREAD, CodexLog, compressed, headed
from tests.conftest import Workbench

SESSION = f"codex:{THREAD}"


def long_log() -> CodexLog:
    """A rollout of more than a few reads, so that offsets lie far behind its beginning."""
    log = CodexLog()
    for number in range(40):
        log.turn()
        log.prompt(f"question {number}")
        log.step(headed(number % 2, f"line {number}\n" * 60))
        log.spend(fresh=10, out=2)
    return log


def but_for_raw(sessions: dict[str, Session]) -> dict[str, Session]:
    return {name: replace(session, raw_bytes=0) for name, session in sessions.items()}


def move(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    path.rename(to)


class TestMoves:
    """Between two sweeps a rollout may be compressed, archived, or both."""

    @pytest.mark.parametrize("is_archived", [False, True])
    @pytest.mark.parametrize("is_compressed", [False, True])
    @pytest.mark.parametrize("leaves_twin", [False, True])
    def test_reads_nothing_and_changes_nothing(
        self, bench: Workbench, is_archived: bool, is_compressed: bool, leaves_twin: bool
    ) -> None:
        log = long_log()
        before_move = log.write(bench.home)
        bench.sweep()
        before, events = bench.sessions(), bench.events(SESSION)
        log.write(bench.home, is_archived=is_archived, is_compressed=is_compressed)
        if leaves_twin:
            report = bench.sweep()
            assert (report.bytes_read, report.ingested, report.discovered) == (0, 0, 1)
        if is_archived or is_compressed:
            before_move.unlink()
        for _ in range(2):
            report = bench.sweep()
            assert (report.bytes_read, report.ingested, report.discovered) == (0, 0, 1)
            assert report.new_problems == 0
        assert bench.sessions() == before
        assert bench.events(SESSION) == events
        assert_counted_alike(bench)

    def test_growth_goes_on_behind_the_move(self, bench: Workbench, tmp_path: Path) -> None:
        log = long_log()
        path = log.write(bench.home)
        bench.sweep()
        size = len(log.text())
        path.unlink()
        log.prompt("one more")
        log.write(bench.home, is_archived=True, is_compressed=True)
        assert bench.sweep().bytes_read == len(log.text()) - size
        assert bench.session().prompts == 41
        (bench.home / ".codex" / "archived_sessions" / f"{path.name}.zst").unlink()
        log.prompt("and one")
        log.write(bench.home)
        bench.sweep()
        at_once = tmp_path / "at-once"
        bench.sweep(at_once)
        assert but_for_raw(bench.sessions()) == but_for_raw(bench.sessions(at_once))
        assert bench.events(SESSION) == bench.events(SESSION, at_once)

    def test_evicted_session_is_found_at_its_new_place(self, bench: Workbench) -> None:
        bench.config = bench.home.parent / "config.toml"
        bench.config.write_text(
            "[retention]\nraw_soft_cap_bytes = 1\nraw_hard_cap_bytes = 2\n", "utf-8"
        )
        log = long_log()
        path = log.write(bench.home)
        bench.sweep()
        assert bench.session().raw == "evicted"
        events = bench.events(SESSION)
        assert len(events) > 100
        path.unlink()
        log.write(bench.home, is_archived=True, is_compressed=True)
        assert bench.sweep().bytes_read == 0
        assert bench.events(SESSION) == events

    def test_compressed_from_the_start(self, bench: Workbench) -> None:
        log = long_log()
        log.write(bench.home, is_compressed=True)
        assert bench.sweep().bytes_read == len(log.text())
        assert bench.session().prompts == 40
        assert_counted_alike(bench)

    def test_frames_follow_one_another(self, bench: Workbench) -> None:
        log = long_log()
        path = log.write(bench.home, is_compressed=True)
        lines = log.lines()
        path.write_bytes(b"".join(map(compressed, (b"".join(lines[:50]), b"".join(lines[50:])))))
        bench.sweep()
        assert bench.session().prompts == 40


class TestDamage:
    """A damaged compressed rollout keeps what could be read of it."""

    def test_what_was_readable_is_kept(self, bench: Workbench) -> None:
        log, chance = CodexLog(), random.Random(2)
        for number in range(200):
            log.prompt(f"question {number}: {chance.randbytes(2000).hex()}")
        whole = compressed(log.text())
        path = log.write(bench.home, is_compressed=True)
        path.write_bytes(whole[: len(whole) // 2])
        report = bench.sweep()
        (problem,) = report.listed_problems
        assert problem.path == str(path)
        assert 0 < bench.session().prompts < 200
        assert_counted_alike(bench)
        assert bench.sweep().new_problems == 0
        path.write_bytes(whole)
        bench.sweep()
        assert bench.session().prompts == 200

    def test_wrong_bytes_within(self, bench: Workbench) -> None:
        log, chance = CodexLog(), random.Random(2)
        for number in range(200):
            log.prompt(f"question {number}: {chance.randbytes(2000).hex()}")
        whole = bytearray(compressed(log.text()))
        start = len(whole) * 2 // 3
        whole[start : start + 200_000] = random.Random(1).randbytes(200_000)
        path = log.write(bench.home, is_compressed=True)
        path.write_bytes(whole)
        assert bench.sweep().new_problems >= 1
        assert 100 < bench.session().prompts < 200

    @pytest.mark.parametrize("content", [b"", b"\0" * 100, b"plain text\n", b"\x28\xb5\x2f\xfd"])
    def test_what_is_no_zstd_is_a_problem_or_nothing(
        self, bench: Workbench, content: bytes
    ) -> None:
        path = CodexLog().write(bench.home, is_compressed=True)
        path.write_bytes(content)
        assert bench.sweep().new_problems == bool(content)
        assert bench.sessions() == {}

    def test_damage_behind_the_cursor_loses_nothing(self, bench: Workbench) -> None:
        log = long_log()
        path = log.write(bench.home)
        bench.sweep()
        before = bench.sessions()
        path.unlink()
        twin = log.write(bench.home, is_compressed=True)
        twin.write_bytes(twin.read_bytes()[:200])
        assert bench.sweep().new_problems == 1
        assert bench.sessions() == before


class TestCopies:
    """The same rollout under another name or in another folder is the same session."""

    def test_copies_change_nothing(self, bench: Workbench) -> None:
        log = long_log()
        log.write(bench.home)
        bench.sweep()
        before, events = bench.sessions(), bench.events(SESSION)
        log.write(bench.home, is_archived=True)
        log.write(bench.home, day="2026/03/03")
        log.write(bench.home, name="rollout-copy")
        log.write(bench.home, name=f"rollout-2026-02-02T11-11-11-{CHILD}", is_compressed=True)
        for _ in range(3):
            assert bench.sweep().ingested == 0
            assert bench.sessions() == before
            assert bench.events(SESSION) == events
        assert bench.sweep().bytes_read == 0
        assert_counted_alike(bench)

    def test_longer_copy_is_the_one_that_counts(self, bench: Workbench) -> None:
        log = long_log()
        log.write(bench.home, is_archived=True)
        bench.sweep()
        log.prompt("one more")
        log.write(bench.home)
        bench.sweep()
        assert bench.session().prompts == 41
        assert bench.sweep().bytes_read == 0
        assert bench.session().prompts == 41


class TestExcluded:
    """A project's rollouts stay out by the folder that they name inside."""

    def test_until_the_glob_is_gone(self, bench: Workbench) -> None:
        bench.config = bench.home.parent / "config.toml"
        bench.config.write_text('[sources.codex]\nexclude = ["/work/private*"]\n', "utf-8")
        private = CodexLog(session=CHILD, cwd="/work/private/app")
        private.prompt("a secret")
        private.write(bench.home)
        log = CodexLog()
        log.prompt()
        log.write(bench.home)
        for _ in range(2):
            assert bench.sweep().new_problems == 0
            assert bench.sessions().keys() == {SESSION}
        private.prompt("another")
        private.write(bench.home)
        bench.sweep()
        assert bench.sessions().keys() == {SESSION}
        bench.config.write_text("")
        assert bench.sweep().ingested == 1
        assert bench.sessions()[f"codex:{CHILD}"].prompts == 2

    def test_a_sub_agent_of_such_a_project_stays_out_too(self, bench: Workbench) -> None:
        bench.config = bench.home.parent / "config.toml"
        bench.config.write_text('[sources.codex]\nexclude = ["/work/private*"]\n', "utf-8")
        child = CodexLog(session=CHILD, cwd="/work/private", forked_from_id=THREAD)
        child.replay(long_log())
        child.second += 10
        child.prompt("a secret")
        child.reply()
        child.write(bench.home)
        bench.sweep()
        assert bench.sessions() == {}
