"""A stream of updates that repeats growing outputs is read with flat memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.claude_log import as_line
from tests.conftest import Workbench
from tests.grok_log import CHAT, FOLDER, UPDATES, GrokLog

MB = 1 << 20
# The larger of the two streams; a machine with time may take hundreds of megabytes.
LARGE = int(os.environ.get("HELIX_STREAM_MB", "24")) * MB
SMALL = LARGE // 8
# Sweeps in its own process and says how much memory that took at its worst, in KiB.
SWEEP = """
import resource, sys
from pathlib import Path
from helix_tui.config import load
from helix_tui.engine import Engine
config = Path(sys.argv[2]).with_name("config.toml")
config.write_text("[sweep]\\nworkers = 0\\n")
for event in Engine(load(config, Path(sys.argv[2]), {"HOME": sys.argv[1]})).sweep():
    pass
print(event.report.bytes_read, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write_stream(bench: Workbench, size: int, *, has_chat: bool) -> Path:
    """A session with calls whose output every update repeats in full, as text and as bytes."""
    log = GrokLog()
    log.prompt()
    call = log.call()
    log.result(call, "all is well", exit_code=3, outcome=None)
    folder = log.write(bench.home, without="" if has_chat else CHAT)
    output = "".join(f"line {number} of what the build says\n" for number in range(6000))
    updates = log.updates
    written = 0
    growing = []
    for length in range(20_000, len(output), 20_000):
        log.update(
            "tool_call_update",
            toolCallId=call,
            status="in_progress",
            content=[{"type": "content", "content": {"type": "text", "text": output}}],
            rawOutput={"type": "Bash", "output": list(output[:length].encode())},
        )
        growing.append(as_line(updates.pop()))
    with (folder / UPDATES).open("wb") as file:
        for update in updates[:-1]:
            file.write(as_line(update))
        while written < size:
            written += sum(map(file.write, growing))
        file.write(as_line(updates[-1]))
    return folder


def peak_of_a_sweep(bench: Workbench) -> tuple[int, int]:
    command = [sys.executable, "-c", SWEEP, str(bench.home), str(bench.store)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    bytes_read, peak = done.stdout.split()
    return int(bytes_read), int(peak)


@pytest.mark.parametrize("has_chat", [True, False])
def test_memory_does_not_grow_with_the_stream(tmp_path: Path, has_chat: bool) -> None:
    peaks = []
    for size in (SMALL, LARGE):
        bench = Workbench(tmp_path / str(size))
        folder = write_stream(bench, size, has_chat=has_chat)
        bytes_read, peak = peak_of_a_sweep(bench)
        assert bytes_read >= size
        peaks.append(peak)
        session = bench.session()
        assert (session.id, session.prompts, session.tool_calls) == (f"grok:{FOLDER}", 1, 1)
        assert session.tool_errors == 1
        assert session.raw_bytes < 100_000
        (folder / UPDATES).unlink()
    small, large = peaks
    assert large - small < 8 * 1024
