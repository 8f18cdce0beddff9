"""Runs a program of the user's configuration: no shell, bounded in time and output, then gone."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from helix_tui.errors import HelixError, InterruptedJobError
from helix_tui.outside import outside_environment
from helix_tui.text.redact import redact

_MOST_OUTPUT = 64 * 1024
_MOST_COMPLAINT = 4 * 1024
_LOOK_AGAIN = 0.05
_PIECE = 16 * 1024


class ProgramError(HelixError):
    """A program could not be run, or what it did cannot be used."""


class _Ended(NamedTuple):
    """How a run went: the exit code, or None where it was ended, with why."""

    code: int | None
    why: str


def run_program(
    command: Sequence[str],
    request: bytes,
    timeout: float,
    folder: Path | None = None,
    cancelled: Callable[[], bool] = bool,
) -> bytes:
    """What a program answers on stdout to a request on stdin, in an empty folder of its own.

    Where a folder is named, it runs there. All of its process group is ended when it ends, is late,
    says too much or is no longer wanted. Agents that it starts know by HELIX_INVOKED_BY that their
    hooks keep silent; Helix's secrets they do not get.
    """
    with _folder(folder) as place, _stdin(request) as asked:
        try:
            process = subprocess.Popen(
                list(command),
                stdin=asked,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=place,
                env={**outside_environment(), "HELIX_INVOKED_BY": "helix"},
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            name = command[0] if command else "(no command)"
            raise ProgramError(f"{name} could not be started: {error}") from error
        output, complaint = bytearray(), bytearray()
        try:
            ended = _listen(process, output, complaint, time.monotonic() + timeout, cancelled)
        finally:
            _end(process)
    if ended.code is None:
        raise ProgramError(f"{command[0]} {ended.why} and was ended")
    if ended.code != 0:
        raise ProgramError(f"{command[0]} ended with exit code {ended.code}{_last_line(complaint)}")
    return bytes(output)


def _folder(named: Path | None) -> contextlib.AbstractContextManager[str]:
    if named is not None:
        return contextlib.nullcontext(str(named))
    return tempfile.TemporaryDirectory(prefix="helix-", ignore_cleanup_errors=True)


@contextlib.contextmanager
def _stdin(request: bytes) -> Iterator[IO[bytes]]:
    """The request as a file: a program that does not read it cannot hold anybody up."""
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
) -> _Ended:
    """Takes in what a program says until it ends, whatever a child of it keeps open."""
    with selectors.DefaultSelector() as waiting:
        for stream, kept in ((process.stdout, output), (process.stderr, complaint)):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
            waiting.register(stream.fileno(), selectors.EVENT_READ, kept)
        while True:
            if cancelled():
                raise InterruptedJobError("Stopped before the program had answered.")
            # Asked first: what it said before it ended is then still taken in.
            code = process.poll()
            is_more = _take(waiting, 0 if code is not None else _LOOK_AGAIN)
            del complaint[:-_MOST_COMPLAINT]
            if len(output) > _MOST_OUTPUT:
                return _Ended(None, f"said more than {_MOST_OUTPUT // 1024} KiB")
            is_late = time.monotonic() >= deadline
            if code is not None and (is_late or not is_more):
                return _Ended(code, "")
            if is_late:
                return _Ended(None, "took too long")


def _take(waiting: selectors.BaseSelector, seconds: float) -> bool:
    """Reads a piece of what there is; whether there was any."""
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
    """Ends the program with all that it started and that did not leave its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _last_line(complaint: bytearray) -> str:
    said = redact(complaint[-_MOST_COMPLAINT:].decode("utf-8", "replace")).strip()
    return f": {said.splitlines()[-1]}" if said else ""
