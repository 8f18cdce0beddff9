"""A sweep that dies between two batches of one unit is made up for by the next one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from helix_tui.capture import units
from helix_tui.store.ingest import writer
from tests.codex_log import CodexLog
from tests.conftest import Workbench
from tests.faults.loop import TAKES_ALL, spread
from tests.grok_log import EVENTS, UPDATES, GrokLog

# Behind how many batches a sweep is killed; with HELIX_FAULTS=all it is each of them.
_SHARE = 8


class Killed(BaseException):
    """Nothing in the sweep may take notice of it."""


def sweep_until(bench: Workbench, monkeypatch: pytest.MonkeyPatch, store: Path, last: int) -> int:
    """Sweeps with a transaction for each batch; dies behind the `last` one. How many there were."""
    done = 0
    flush = writer.StoreWriter.flush

    def counted(self: writer.StoreWriter) -> Any:
        nonlocal done
        committed = flush(self)
        done += bool(committed)
        if done == last and committed:
            raise Killed
        return committed

    with monkeypatch.context() as patched:
        patched.setattr(writer, "FLUSH_BATCHES", 1)
        patched.setattr(units, "BATCH_BYTES", 600)
        patched.setattr(units, "IDLE_BYTES", 900)
        patched.setattr("helix_tui.capture.tail.CHUNK", 300)
        patched.setattr(writer.StoreWriter, "flush", counted)
        try:
            bench.sweep(store)
        except Killed:
            assert done == last
    return done


def outcome(bench: Workbench, store: Path) -> Any:
    sessions = bench.sessions(store)
    return [
        (replace(session, raw_bytes=0), bench.events(name, store))
        for name, session in sorted(sessions.items())
    ]


def assert_ends_equal(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, folder: Path, stages: list[Any]
) -> None:
    """Kills the sweep of the last stage behind its batches, then lets it go on.

    With HELIX_FAULTS=all that is each of them, else an evenly spaced part, the last among them.
    """
    before, undisturbed = folder / "before", folder / "undisturbed"
    for write in stages[:-1]:
        write()
        bench.sweep(before)
    stages[-1]()
    if before.exists():
        shutil.copytree(before, undisturbed)
    batches = sweep_until(bench, monkeypatch, undisturbed, -1)
    assert batches > 2
    assert bench.sweep(undisturbed).bytes_read == 0
    at_once = folder / "at-once"
    bench.sweep(at_once)
    wanted = outcome(bench, at_once)
    assert outcome(bench, undisturbed) == wanted
    for last in spread(range(1, batches + 1), batches if TAKES_ALL else _SHARE):
        store = folder / f"store-{last}"
        if before.exists():
            shutil.copytree(before, store)
        assert sweep_until(bench, monkeypatch, store, last) == last
        bench.sweep(store)
        assert outcome(bench, store) == wanted, last


def compacted() -> GrokLog:
    log = GrokLog()
    for number in range(3):
        log.turn(f"prompt {number}")
    log.chat = []
    log.row("user", content="a summary", synthetic_reason="compaction_meta")
    log.update("auto_compact_completed", tokens_before=90_000)
    log.turn("afterwards")
    return log


class TestKilledBetweenBatches:
    """Each batch is committed by itself; what comes behind it may never come."""

    def test_a_compacted_session(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        log = compacted()
        assert_ends_equal(bench, monkeypatch, tmp_path, [lambda: log.write(bench.home)])

    def test_a_compacted_session_whose_prompts_have_no_number(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        log = compacted()
        for line in log.updates:
            if line["params"]["update"]["sessionUpdate"] == "user_message_chunk":
                del line["params"]["update"]["_meta"]
        assert_ends_equal(bench, monkeypatch, tmp_path, [lambda: log.write(bench.home)])

    def test_a_chat_that_came_before_its_times(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        log = GrokLog()
        for number in range(3):
            log.turn(f"prompt {number}")

        def without_updates() -> None:
            place = log.write(bench.home)
            (place / UPDATES).unlink()

        assert_ends_equal(
            bench, monkeypatch, tmp_path, [without_updates, lambda: log.write(bench.home)]
        )

    def test_a_chat_that_lost_its_end_and_came_before_the_telemetry(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        log = GrokLog()
        log.turn("one")
        rows = len(log.chat)
        log.prompt("two")
        log.step("no", outcome="error")
        log.step("ok")
        log.reply("Sorry.")
        log.end_turn()
        del log.chat[rows:]

        def without_events() -> None:
            place = log.write(bench.home)
            (place / EVENTS).unlink()

        assert_ends_equal(
            bench, monkeypatch, tmp_path, [without_events, lambda: log.write(bench.home)]
        )

    def test_a_rollout(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        log = CodexLog()
        for number in range(3):
            log.turn()
            log.prompt(f"prompt {number}")
            log.step("ok")
            log.spend(fresh=10, out=3)
            log.reply("done")
        assert_ends_equal(bench, monkeypatch, tmp_path, [lambda: log.write(bench.home)])


class TestGrowthWhileReading:
    """The agent writes on while its session is read."""

    def test_what_came_before_the_second_look(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        log = compacted()
        place = log.write(bench.home)
        wanted = units._wanted_again

        before = len(log.updates)
        log.turn("written meanwhile")
        whole = log.content(UPDATES)
        lines = whole.splitlines(keepends=True)
        (place / UPDATES).write_bytes(b"".join(lines[:before]))

        def writes_on(reader: Any, part: str) -> Any:
            (place / UPDATES).write_bytes(whole)
            return wanted(reader, part)

        with monkeypatch.context() as patched:
            patched.setattr(units, "_wanted_again", writes_on)
            bench.sweep()
        log.write(bench.home)
        bench.sweep()
        bench.sweep(tmp_path / "at-once")
        assert outcome(bench, bench.store) == outcome(bench, tmp_path / "at-once")
