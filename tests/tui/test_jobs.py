"""The bridge: sweeps stop, a second one is refused, and what fails is a toast."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from textual.screen import Screen

from helix_tui.tui.jobs import Connection
from helix_tui.tui.kit.topbar import sweep_text
from helix_tui.tui.messages import CandidatesFound, SweepProgressed, SweepState
from helix_tui.tui.sweep_process import SweepProcess
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.sitting import sitting

_PROGRESS = (
    '{"event": "SweepStarted", "of": {"discovered": 9800, "changed_units": 9800, '
    '"changed_bytes": 100}}',
    '{"event": "Progress", "of": {"units_done": 6210, "units_total": 9800, "bytes_done": 63, '
    '"bytes_total": 100}}',
)
# It says how far it is, and goes on until its stdin is closed.
_POLITE = f"""
import sys
for line in {_PROGRESS!r}:
    print(line, flush=True)
sys.stdin.read()
"""
# It does not care.
_STUBBORN = f"""
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
for line in {_PROGRESS!r}:
    print(line, flush=True)
time.sleep(60)
"""


def command(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_sweep_shows_in_the_top_line_refuses_a_second_one_and_stops() -> None:
    async with sitting() as found:
        connection = found.app.jobs.connection
        assert isinstance(connection, Connection)
        connection.sweep_command = command(_POLITE)
        await found.press("s")
        await found.until(lambda: "sweep 6,210/9,800" in found.text)
        await found.press("s")
        await found.until(lambda: "A sweep is running already" in found.text)
        assert found.app.jobs.start_sweep() == "A sweep is running already."
        await found.press("escape")
        assert found.app.jobs.is_sweeping, "escape never stops work"
        await found.press("S")
        await found.until(lambda: not found.app.jobs.is_sweeping)
        await found.until(lambda: "sweep 6,210" not in found.text)


async def test_leaving_ends_even_a_stubborn_sweep_within_two_seconds() -> None:
    async with sitting() as found:
        connection = found.app.jobs.connection
        assert isinstance(connection, Connection)
        connection.sweep_command = command(_STUBBORN)
        await found.press("s")
        await found.until(lambda: "sweep 6,210/9,800" in found.text)
        sweep_process = found.app.jobs._sweep_process
        assert isinstance(sweep_process, SweepProcess)
        began = time.monotonic()
        await found.press("q")
        assert time.monotonic() - began < 3
        assert not is_alive(sweep_process._process.pid)


async def test_a_sweep_that_breaks_is_told_and_the_app_goes_on() -> None:
    async with sitting() as found:
        connection = found.app.jobs.connection
        assert isinstance(connection, Connection)
        connection.sweep_command = command("import sys; sys.exit('no such table')")
        await found.press("s")
        await found.until(lambda: "no such table" in found.text)
        assert not found.app.jobs.is_sweeping
        await found.press("j", "r")
        await found.until(lambda: found.verdicts)


async def test_a_job_that_raises_is_a_toast_and_the_keys_go_on() -> None:
    source = MadeSource([made_reviewed(number) for number in range(3)])
    async with sitting(source=source) as found:
        source.fails = "the disk [red]is gone\x1b[2J"
        found.review.load_board()
        await found.until(lambda: "the disk [red]is gone" in found.text)
        assert found.app.jobs.failures[0].job == "candidates"
        await found.press("r")
        await found.until(lambda: found.verdicts == [("reject", "problem-000000")])


async def test_verdicts_that_were_given_are_written_before_the_app_ends() -> None:
    async with sitting() as found:
        await found.press("r", "a", "r", "q")
    assert [name for _, name in found.verdicts] == [
        "problem-000000",
        "problem-000001",
        "problem-000002",
    ]


def test_time_left_is_told() -> None:
    text = sweep_text(SweepState(6_210, 9_800, 63, 100, 63.0), 120)
    assert text == "sweep 6,210/9,800 ━━━━━━━╸──── 63%  0:37 left"
    assert sweep_text(SweepState(), 80) == "sweep looking for logs"


async def test_no_process_is_left_where_the_command_is_none(tmp_path: Path) -> None:
    async with sitting() as found:
        connection = found.app.jobs.connection
        assert isinstance(connection, Connection)
        connection.sweep_command = [str(tmp_path / "no-such-program")]
        await found.press("s")
        await found.until(lambda: "cannot be started" in found.text)
        assert not found.app.jobs.is_sweeping


async def test_an_answer_to_a_screen_that_is_no_part_of_the_app_any_more_is_no_failure() -> None:
    async with sitting() as found:
        jobs, gone = found.app.jobs, Screen[None]()
        jobs.listen(gone)
        jobs.ask("late", lambda: SweepProgressed(SweepState()), gone)
        jobs.do("told", lambda: jobs.tell(CandidatesFound), "told")
        jobs._lanes["told"].submit(lambda: None).result()
        jobs._lanes["reading"].submit(lambda: None).result()
        jobs.unlisten(gone)
        assert jobs.failures == []
