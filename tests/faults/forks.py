"""Commands that run in forks of one loaded process, each under a strace of its own.

That process takes two seconds to load: each process of tests has one, for all its files.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.faults import strace
from tests.faults.strace import CHANGING, ROOT, Call, Point

_SECONDS = 30
_PROCESS = re.compile(r"\.\d+-(?=\d+\.helix~)")


class Ended(NamedTuple):
    """How a command ended, and all that it said."""

    code: int
    said: str


class Forks:
    """A program in forks of the loaded process, each with the same home."""

    def __init__(self, folder: Path, home: Path, program: str = "helix") -> None:
        self._program = program
        self._said = folder / "said"
        self._environ = strace.environ(home)

    def learn(self, *commands: Sequence[str]) -> None:
        """Runs commands once, so that forks begin with all that they load."""
        for arguments in commands:
            ended = self.run(arguments, has_modules=True)
            assert ended.code == 0, ended.said
            _asked({"load": json.loads(ended.said.splitlines()[-1])})

    def run(self, arguments: Sequence[str], *, has_modules: bool = False) -> Ended:
        """Runs a command without a tracer."""
        pid = self._fork(arguments, (), has_modules=has_modules)
        os.kill(pid, signal.SIGCONT)
        return self._end(pid)

    def traced(self, arguments: Sequence[str], changes: Iterable[str], root: Path) -> list[Point]:
        """Runs a command undisturbed; returns the points at which it changes files in a folder."""
        return _points(self.calls(arguments, changes), root)

    def calls(self, arguments: Sequence[str], changes: Iterable[str] = ()) -> list[Call]:
        """Runs a command undisturbed; returns every changing call of its, failed or not."""
        with tempfile.NamedTemporaryFile("r", prefix="helix-trace-", errors="replace") as output:
            options = ["-y", "-s", "0", "-e", f"trace={_named(CHANGING)}"]
            ended = self._attached(arguments, changes, output.name, options)
            assert ended.code == 0, ended.said
            return strace.calls_in(output.read().splitlines())

    def faulted(
        self,
        arguments: Sequence[str],
        changes: Iterable[str],
        point: Point,
        fault: str,
        *,
        is_lasting: bool = False,
        paths: Iterable[Path] = (),
    ) -> Ended:
        """Runs a command that meets a fault (`signal=…` or `error=…`) as it enters a point.

        Where paths are named, only calls that touch them are counted and can fail.
        """
        when = f"{point.nth}{'+' if is_lasting else ''}"
        options = [
            *("-e", f"trace=?{point.name}"),
            *("-e", f"inject={point.name}:{fault}:when={when}"),
            *(word for path in paths for word in ("-P", str(path))),
        ]
        return self._attached(arguments, changes, os.devnull, options)

    def _attached(
        self, arguments: Sequence[str], changes: Iterable[str], output: str, options: Sequence[str]
    ) -> Ended:
        pid = self._fork(arguments, changes)
        command = ["strace", "-f", "-qq", "-o", output, *options, "-p", str(pid)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
            _await_tracer(pid, tracer)
            os.kill(pid, signal.SIGCONT)
            ended = self._end(pid)
            tracer.wait(_SECONDS)
        return ended

    def _fork(
        self, arguments: Sequence[str], changes: Iterable[str], *, has_modules: bool = False
    ) -> int:
        answer = _asked(
            {
                "program": self._program,
                "arguments": list(arguments),
                "changes": list(changes),
                "environ": self._environ,
                "said": str(self._said),
                "modules": has_modules,
            }
        )
        return int(answer["pid"])

    def _end(self, pid: int) -> Ended:
        code = _asked({"wait": pid})["code"]
        return Ended(int(code), self._said.read_text(errors="replace"))


@cache
def _loaded() -> subprocess.Popen[str]:
    """The loaded process, which ends with this one."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.forker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=strace.environ(Path("/nowhere")),
    )
    atexit.register(_end, process)
    return process


def _end(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    process.wait(_SECONDS)


def _asked(request: dict[str, Any]) -> dict[str, Any]:
    process = _loaded()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    found = json.loads(process.stdout.readline())
    assert isinstance(found, dict)
    return found


def _points(calls: Iterable[Call], root: Path) -> list[Point]:
    """Every call that changed something in a folder.

    Nothing is loaded and nobody else is traced: a call is found again by its name and number.
    """
    counted: Counter[str] = Counter()
    points: list[Point] = []
    for call in calls:
        counted[call.name] += 1
        if call.is_change and call.is_done and call.touches(root):
            found = next(path for path in call.paths if path.startswith(str(root)))
            # Temporary files are named after the process.
            path = _PROCESS.sub(".PID-", str(Path(found).relative_to(root)))
            points.append(Point(call.name, counted[call.name], path, "O_CREAT" in call.text))
    return points


def _named(calls: Iterable[str]) -> str:
    return ",".join(f"?{name}" for name in calls)


def _await_tracer(pid: int, tracer: subprocess.Popen[str]) -> None:
    status = Path(f"/proc/{pid}/status")
    ends = time.monotonic() + _SECONDS
    while "TracerPid:\t0\n" in status.read_text():
        if tracer.poll() is not None or time.monotonic() > ends:
            assert tracer.stderr is not None
            raise AssertionError(f"nothing is traced: {tracer.stderr.read()}")
        time.sleep(0.001)
