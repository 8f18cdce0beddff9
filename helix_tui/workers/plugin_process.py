"""The process of one plug-in from the sweep's side: send, wait, end."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

import msgspec

from helix_tui.capture.draft import safe_reason
from helix_tui.environment import outside_environment
from helix_tui.errors import InterruptedJobError
from helix_tui.workers.plugin_host import PluginReply, PluginRequest
from helix_tui.workers.plugins import PluginError, PluginRaisedError
from helix_tui.workers.wire import LENGTH, framed

# How soon a Ctrl-C is noticed, and how long a killed process may take to end.
_LOOK_AGAIN = 0.05
_END_SECONDS = 0.5
_PIECE = 1 << 20
_MOST_PRINTED = 4096


class PluginLateError(PluginError):
    """A plug-in did not answer in time."""


class PluginProcess:
    """A process that runs the adapter of one flavor."""

    def __init__(self, flavor: str, target: str) -> None:
        self._flavor = flavor
        # In a session of its own it does not get the Ctrl-C that is meant for the sweep.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "helix_tui.workers.plugin_host", flavor, target],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=outside_environment(),
            bufsize=0,
        )
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._printed = bytearray()
        for stream in self._streams():
            os.set_blocking(stream.fileno(), False)

    def send(self, request: PluginRequest) -> None:
        """Queue a request; it is written while the answer is waited for."""
        self._outgoing += framed(msgspec.msgpack.encode(request))

    def receive(self, kind: Any, seconds: float, cancelled: Callable[[], bool]) -> Any:
        """One answer of that type; raise PluginError where there is none."""
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as waiting:
            stdin, stdout, stderr = self._streams()
            waiting.register(stdout, selectors.EVENT_READ, self._incoming)
            waiting.register(stderr, selectors.EVENT_READ, self._printed)
            if self._outgoing:
                waiting.register(stdin, selectors.EVENT_WRITE)
            while (message := self._message()) is None:
                if cancelled():
                    raise InterruptedJobError("Stopped before the plug-in had answered.")
                # Polled before reading: what it wrote before it ended is still read.
                is_over = self._process.poll() is not None
                is_more = self._exchange(waiting, 0 if is_over else _LOOK_AGAIN)
                if is_over and not is_more:
                    raise PluginError(self._fault(self._ending()))
                if time.monotonic() > deadline:
                    raise PluginLateError(self._fault(f"no answer within {seconds:g} seconds"))
        return self._answer(message, kind)

    def end(self) -> None:
        """Kill the process with everything it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        for stream in self._streams():
            stream.close()

    def _streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        return process.stdin, process.stdout, process.stderr

    def _exchange(self, waiting: selectors.BaseSelector, seconds: float) -> bool:
        """Write and read what is possible now; return whether anything was read."""
        if not waiting.get_map():
            time.sleep(seconds)
        has_read = False
        for key, _ in waiting.select(seconds):
            if key.data is None:
                is_done = self._write(key.fd)
            else:
                piece = os.read(key.fd, _PIECE)
                key.data.extend(piece)
                has_read = has_read or bool(piece)
                is_done = not piece
            if is_done:
                waiting.unregister(key.fileobj)
        del self._printed[:-_MOST_PRINTED]
        return has_read

    def _write(self, descriptor: int) -> bool:
        """Write a piece of the request; return whether it is all written."""
        try:
            written = os.write(descriptor, self._outgoing[:_PIECE])
        except BrokenPipeError:
            return True  # reported when its end is noticed
        del self._outgoing[:written]
        return not self._outgoing

    def _message(self) -> bytes | None:
        """The next message, if it is complete."""
        if len(self._incoming) < LENGTH.size:
            return None
        (length,) = LENGTH.unpack_from(self._incoming)
        end = LENGTH.size + length
        if len(self._incoming) < end:
            return None
        message = bytes(self._incoming[LENGTH.size : end])
        del self._incoming[:end]
        return message

    def _answer(self, message: bytes, kind: Any) -> Any:
        try:
            reply = msgspec.msgpack.decode(message, type=PluginReply)
            if not reply.fault:
                return msgspec.msgpack.decode(reply.value, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise PluginError(self._fault(f"what it gave is of another kind: {error}")) from error
        raise PluginRaisedError(reply.fault)

    def _ending(self) -> str:
        code = self._process.returncode
        how = f"by signal {-code}" if code < 0 else f"with code {code}"
        return f"its process ended {how}"

    def _fault(self, problem: str) -> str:
        last_line = self._printed.decode("utf-8", "replace").strip().rpartition("\n")[2]
        printed = f"; it printed: {last_line}" if last_line else ""
        return safe_reason(f"the {self._flavor} adapter failed: {problem}{printed}")
