"""Runs programs and functions in turns and says what they cost."""

from __future__ import annotations

import os
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Run:
    """One run: wall and CPU seconds, and the resident size of its largest process."""

    wall: float
    cpu: float
    rss_mb: float


@dataclass(frozen=True, slots=True)
class Cost:
    """Several runs: the best of each figure, which a busy machine disturbs least."""

    wall: float
    cpu: float
    rss_mb: float


def run(
    command: Sequence[str],
    environ: Mapping[str, str],
    allowed: Sequence[int] = (0,),
    *,
    is_told_early: bool = False,
) -> Run:
    """Runs a program to its end; children that it waits for count as its own.

    Of one that works on behind its answer, the wall is that to the first line it prints.
    """
    started = time.perf_counter()
    output = subprocess.PIPE if is_told_early else subprocess.DEVNULL
    process = subprocess.Popen(command, env=dict(environ), stdout=output, stderr=subprocess.DEVNULL)
    watch = _PeakWatch(process.pid)
    told = None
    if process.stdout is not None:
        process.stdout.readline()
        told = time.perf_counter() - started
        process.stdout.read()
        process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    wall = told or time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in allowed:
        raise RuntimeError(f"{command[0]} exited with {process.returncode}")
    return Run(wall, usage.ru_utime + usage.ru_stime, watch.stop() / 1024)


class _PeakWatch(threading.Thread):
    """Samples the peak of every process of a tree.

    The kernel's own figure for a finished child will not do: it begins with what the parent had
    when the child was made.
    """

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._peak_kb = 0
        self._is_over = threading.Event()
        self.start()

    def run(self) -> None:
        """Looks a hundred times a second; a peak stays visible until its process ends."""
        while not self._is_over.wait(0.01):
            for pid in _tree(self._pid):
                self._peak_kb = max(self._peak_kb, _peak_kb(pid))

    def stop(self) -> int:
        """The greatest peak seen."""
        self._is_over.set()
        self.join()
        return self._peak_kb


def _tree(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        with suppress(OSError):  # a process may end while it is looked at
            for task in Path(f"/proc/{parent}/task").iterdir():
                found.extend(int(child) for child in (task / "children").read_text().split())
    return found


def _peak_kb(pid: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def in_turns(contestants: Mapping[str, Callable[[], Run]], rounds: int) -> dict[str, Cost]:
    """Runs all contestants round by round, so that a slow minute is slow for each."""
    runs: dict[str, list[Run]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, contestant in contestants.items():
            runs[name].append(contestant())
    return {name: best(found) for name, found in runs.items()}


def best(runs: Sequence[Run]) -> Cost:
    """The least wall and CPU; the greatest memory."""
    return Cost(
        min(run.wall for run in runs),
        min(run.cpu for run in runs),
        max(run.rss_mb for run in runs),
    )


class Stopwatch(Generic[P, T]):
    """A function that adds up the CPU time that its calls take."""

    def __init__(self, function: Callable[P, T]) -> None:
        self.function = function
        self.seconds = 0.0

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> T:
        """The function's own answer."""
        started = time.process_time()
        answer = self.function(*arguments, **named)
        self.seconds += time.process_time() - started
        return answer


def timed(function: Callable[[], object]) -> float:
    """Wall seconds of a call in this process."""
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def median_of(function: Callable[[], object], rounds: int) -> float:
    """The median of several calls."""
    return statistics.median(timed(function) for _ in range(rounds))


def clean_environ(home: Path, **more: str) -> dict[str, str]:
    """A user's environment, in which compiled modules are kept as they would be."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), **more}
