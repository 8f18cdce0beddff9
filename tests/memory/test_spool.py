"""Lines that hooks append and others take out, at once, with nothing lost."""

from __future__ import annotations

import fcntl
import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from helix_tui import hook
from helix_tui.memory.hooks.spool import Spool
from helix_tui.schema.memory import SpoolLine


def line(number: int, flavor: str = "claude") -> SpoolLine:
    return SpoolLine(flavor, f"session-{number}", "/log.jsonl", "Stop", number)


def append(path: Path, *lines: SpoolLine) -> None:
    for each in lines:
        hook.append(str(path), msgspec.json.encode(each) + b"\n")


def test_reads_lines_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool.jsonl")
    assert spool.read() == []
    append(spool.path, line(3), line(1), line(2))
    assert spool.read() == [line(3), line(1), line(2)]
    assert spool.count() == 3
    assert spool.path.stat().st_mode & 0o777 == 0o600


def test_drops_what_was_dealt_with_and_nothing_else(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool.jsonl")
    append(spool.path, line(1), line(2), line(3))
    spool.drop([line(1), line(3), line(9)])
    assert spool.read() == [line(2)]
    assert spool.path.stat().st_mode & 0o777 == 0o600
    spool.drop([line(2)])
    assert spool.read() == []
    spool.drop([line(2)])
    append(spool.path, line(4))
    assert spool.read() == [line(4)]


def test_passes_over_lines_that_cannot_be_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spool = Spool(tmp_path / "spool.jsonl")
    append(spool.path, line(1))
    with spool.path.open("ab") as file:
        file.write(b"\xff\xfe\x00 nothing\n[]\n\n" + b'{"flavor":"claude","ses')
    append(spool.path, line(2))
    with caplog.at_level(logging.WARNING):
        assert spool.read() == [line(1), line(2)]
    assert "3 lines that cannot be read" in caplog.text
    spool.drop([line(1)])
    assert spool.read() == [line(2)]
    aside = (tmp_path / "spool.jsonl.damaged").read_bytes()
    assert aside == b'\xff\xfe\x00 nothing\n[]\n{"flavor":"claude","ses\n'


def test_a_hook_that_waits_too_long_leaves_its_line_beside_the_spool(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool.jsonl")
    append(spool.path, line(1))
    with spool.path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        append(spool.path, line(2))
    (late,) = tmp_path.glob("spool.jsonl.late-*")
    assert late.stat().st_mode & 0o777 == 0o600
    assert spool.read() == [line(1), line(2)]
    spool.drop([line(1)])
    assert spool.read() == [line(2)]
    spool.drop([line(2)])
    assert list(tmp_path.iterdir()) == []


def test_an_abandoned_late_file_goes_once_it_is_old(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool.jsonl")
    late = tmp_path / "spool.jsonl.late-1-1"
    late.write_bytes(b'{"flav')
    spool.drop([])
    assert late.exists()
    os.utime(late, (time.time() - 3600, time.time() - 3600))
    spool.drop([])
    assert not late.exists()


def test_a_spool_without_bound_takes_no_more(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool.jsonl")
    with spool.path.open("wb") as file:
        file.truncate(65 << 20)
    append(spool.path, line(1))
    assert spool.path.stat().st_size == 65 << 20


def test_something_else_than_a_file_is_left_alone(tmp_path: Path) -> None:
    fifo = tmp_path / "spool.jsonl"
    os.mkfifo(fifo)
    append(fifo, line(1))
    assert fifo.is_fifo()


_APPENDER = """
import sys, time
from helix_tui import hook
import msgspec
from helix_tui.schema.memory import SpoolLine
path, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for number in range(first, first + count):
    one = SpoolLine("claude", f"session-{number}", "/log.jsonl", "Stop", number)
    hook.append(path, msgspec.json.encode(one) + b"\\n")
    time.sleep(0.02)
"""

# What is dealt with is printed before it is dropped: whoever is killed in between sees it again.
_DROPPER = """
import sys, time
from pathlib import Path
from helix_tui.memory.hooks.spool import Spool
spool = Spool(Path(sys.argv[1]))
while True:
    lines = spool.read()[:7]
    for line in lines:
        print(line.at, flush=True)
    spool.drop(lines)
"""


def test_no_line_is_lost_while_others_drop_and_are_killed(tmp_path: Path) -> None:
    path, count, appenders = tmp_path / "spool.jsonl", 40, 3
    processes = [
        subprocess.Popen([sys.executable, "-c", _APPENDER, str(path), str(at * 1000), str(count)])
        for at in range(appenders)
    ]
    files = [tmp_path / f"seen-{number}" for number in range(2)]
    deadline = time.monotonic() + 60
    while any(process.poll() is None for process in processes):
        _drop_and_be_killed(path, files, deadline)
    assert all(process.returncode == 0 for process in processes)
    seen = {int(row) for file in files for row in file.read_text().split("\n")[:-1]}
    assert seen, "nobody dropped anything"
    seen.update(row.at for row in Spool(path).read())
    assert seen == {at * 1000 + number for at in range(appenders) for number in range(count)}


def _drop_and_be_killed(path: Path, files: list[Path], deadline: float) -> None:
    """Lets two processes take lines out until both have begun, and ends them wherever they are."""
    command = [sys.executable, "-c", _DROPPER, str(path)]
    before = [file.stat().st_size if file.exists() else 0 for file in files]
    droppers = []
    for file in files:
        with file.open("ab") as said:
            droppers.append(subprocess.Popen(command, stdout=said))
    try:
        while [file.stat().st_size for file in files] == before and Spool(path).count():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(0.1)
    finally:
        for dropper in droppers:
            dropper.send_signal(signal.SIGKILL)
            dropper.wait()
