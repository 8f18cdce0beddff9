"""A sweep as a child process: lines of events, and an end when nobody watches any more."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from helix_tui.engine.sweep.process import (
    SweepFailed,
    TroubleFollowed,
    command_for,
    event_of,
    line_of,
    throttled,
)
from helix_tui.events import ProblemFound, Progress, SweepEvent, SweepFinished, SweepStarted
from helix_tui.schema import Problem
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench


def start(bench: Workbench, store: Path | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command_for(None, store or bench.store),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PATH": os.environ["PATH"], **bench.environ},
    )


def test_events_come_as_lines_and_the_last_one_is_the_report(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt()
    log.write(bench.home)
    with start(bench) as child:
        assert child.stdout is not None
        events = [event_of(line) for line in child.stdout]
    assert child.returncode == 0
    assert isinstance(events[0], SweepStarted)
    assert isinstance(events[-1], SweepFinished)
    assert events[-1].report.ingested == 1
    assert len(bench.sessions()) == 1


def test_what_cannot_be_done_is_a_line_too(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with start(bench, tmp_path / "file" / "store") as child:
        assert child.stdout is not None
        (event,) = [event_of(line) for line in child.stdout]
    assert isinstance(event, SweepFailed)
    assert child.returncode == event.exit_code == 74


def test_it_ends_with_the_one_who_watches(shared: Path, bench: Workbench) -> None:
    bench.home = shared / "corpus" / "home"
    for end in ("stdin", "signal"):
        child = start(bench, bench.store.with_name(end))
        assert child.stdout is not None
        assert child.stdin is not None
        child.stdout.readline()
        began = time.monotonic()
        if end == "stdin":
            child.stdin.close()
        else:
            child.send_signal(signal.SIGTERM)
        child.stdout.read()
        assert child.wait(timeout=10) in (0, 130)
        assert time.monotonic() - began < 5
        child.stdout.close()
        assert child.stderr is not None
        child.stderr.close()


def test_what_is_wrong_with_the_catalog_is_told_behind_the_report(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt()
    log.write(bench.home)
    page = bench.store / "catalog" / "broken.md"
    page.parent.mkdir(parents=True)
    page.write_text("no pattern at all\n")
    with start(bench) as child:
        assert child.stdout is not None
        events = [event_of(line) for line in child.stdout]
    followed = [event for event in events if isinstance(event, TroubleFollowed)]
    assert [page.name in event.what for event in followed] == [True]


def test_a_path_that_is_no_text_survives_the_line() -> None:
    event = ProblemFound(Problem(path="a\udcff\x1b", offset=3, reason="no JSON"))
    line = line_of(event)
    assert line.isascii()
    assert event_of(line) == event


def test_progress_is_told_twenty_times_a_second_at_most() -> None:
    events: list[SweepEvent] = [Progress(at, 1000, at, 1000) for at in range(1000)]
    lines = list(throttled([SweepStarted(1, 1, 1), *events, SweepStarted(2, 2, 2)]))
    assert len(lines) < 20
    assert event_of(lines[0]) == SweepStarted(1, 1, 1)
    assert event_of(lines[-1]) == SweepStarted(2, 2, 2)
