"""Run a program of the user's configuration: no shell, bounded in time and output."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Literal, NamedTuple

from helix_tui.environment import outside_environment
from helix_tui.errors import HelixError, InterruptedJobError
from helix_tui.text.redact import redact

_MOST_OUTPUT = 64 * 1024
_MOST_COMPLAINT = 4 * 1024
_LOOK_AGAIN = 0.05
_PIECE = 16 * 1024


Trouble = Literal["start", "late", "huge", "exit", "answer"]


class ProgramError(HelixError):
    """A program could not be run, or its result cannot be used.

    `output` and `complaint` are what it printed before it ended in an error, the latter redacted.
    """

    def __init__(
        self, what: str, trouble: Trouble = "answer", output: bytes = b"", complaint: str = ""
    ) -> None:
        super().__init__(what)
        self.trouble: Trouble = trouble
        self.output = output
        self.complaint = complaint


class _Ended(NamedTuple):
    """How a run ended: the exit code, or None where the program was killed, with the reason."""

    code: int | None
    why: str
    trouble: Trouble = "exit"


def run_program(
    command: Sequence[str],
    request: bytes,
    timeout: float,
    folder: Path | None = None,
    cancelled: Callable[[], bool] = bool,
    *,
    variables: Mapping[str, str] | None = None,
    most_output: int = _MOST_OUTPUT,
) -> bytes:
    """A program's answer on stdout to a request on stdin.

    It runs in the given folder, else in an empty one of its own. Its whole process group is killed
    when it ends, is late, prints too much or is cancelled. Agents that it starts see
    HELIX_INVOKED_BY, so that their hooks keep silent, and none of Helix's secrets but those that
    `variables` hand over.
    """
    with _folder(folder) as cwd, _stdin(request) as stdin:
        try:
            process = subprocess.Popen(
                list(command),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env={**outside_environment(), **(variables or {}), "HELIX_INVOKED_BY": "helix"},
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            name = command[0] if command else "(no command)"
            raise ProgramError(f"{name} could not be started: {error}", "start") from error
        output, complaint = bytearray(), bytearray()
        try:
            deadline = time.monotonic() + timeout
            ended = _listen(process, output, complaint, deadline, cancelled, most_output)
        finally:
            _end(process)
    if ended.code is None:
        raise ProgramError(f"{command[0]} {ended.why} and was ended", ended.trouble)
    if ended.code != 0:
        text = redact(complaint[-_MOST_COMPLAINT:].decode("utf-8", "replace")).strip()
        what = f"{command[0]} ended with exit code {ended.code}{_last_line(text)}"
        raise ProgramError(what, "exit", bytes(output), text)
    return bytes(output)


def _folder(named: Path | None) -> contextlib.AbstractContextManager[str]:
    if named is not None:
        return contextlib.nullcontext(str(named))
    return tempfile.TemporaryDirectory(prefix="helix-", ignore_cleanup_errors=True)


@contextlib.contextmanager
def _stdin(request: bytes) -> Iterator[IO[bytes]]:
    """The request as a file: a program that does not read it cannot block."""
    with tempfile.TemporaryFile() as file:
        file.write(request)
        file.seek(0)
        yield file


def _listen(
    process: subprocess.Popen[bytes],
    output: bytearray,
    complaint: bytearray,
    deadline: float,
    cancelled: Callable[[], bool],
    most_output: int,
) -> _Ended:
    """Read a program's output until it ends, even if a child of it keeps a pipe open."""
    with selectors.DefaultSelector() as waiting:
        for stream, buffer in ((process.stdout, output), (process.stderr, complaint)):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
            waiting.register(stream.fileno(), selectors.EVENT_READ, buffer)
        while True:
            if cancelled():
                raise InterruptedJobError("Stopped before the program had answered.")
            # Polled before reading: what it wrote before it ended is still read.
            code = process.poll()
            is_more = _take(waiting, 0 if code is not None else _LOOK_AGAIN)
            del complaint[:-_MOST_COMPLAINT]
            if len(output) > most_output:
                return _Ended(None, f"said more than {most_output // 1024} KiB", "huge")
            is_late = time.monotonic() >= deadline
            if code is not None and (is_late or not is_more):
                return _Ended(code, "")
            if is_late:
                return _Ended(None, "took too long", "late")


def _take(waiting: selectors.BaseSelector, seconds: float) -> bool:
    """Read what is available; return whether there was anything."""
    if not waiting.get_map():
        time.sleep(seconds)
        return False
    is_more = False
    for key, _ in waiting.select(seconds):
        piece = os.read(key.fd, _PIECE)
        key.data.extend(piece)
        is_more = is_more or bool(piece)
        if not piece:
            waiting.unregister(key.fd)
    return is_more


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the program with everything it started that did not leave its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _last_line(complaint: str) -> str:
    return f": {complaint.splitlines()[-1]}" if complaint else ""
