"""Brings decisions to the hub beside the keys: a child process at a time, no verdict waits."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable, Sequence

log = logging.getLogger(__name__)
# Verdicts come in runs: one child sends all of a run.
_SECONDS_TO_GATHER = 1.0
_SECONDS_TO_END = 0.5


class HubProcess:
    """Sends when it is called, and once more where it was called meanwhile."""

    def __init__(
        self,
        command: Sequence[str],
        on_trouble: Callable[[str], None],
        *,
        gather_seconds: float = _SECONDS_TO_GATHER,
    ) -> None:
        self._command = list(command)
        self._on_trouble = on_trouble
        self._gather_seconds = gather_seconds
        self._called = threading.Event()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[str] | None = None
        self._has_told = False

    def call(self) -> None:
        """Say that something waits for the hub; return at once."""
        with self._lock:
            self._called.set()
            if self._thread is None and not self._ended.is_set():
                self._thread = threading.Thread(target=self._run, name="helix-hub", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """End what is under way; what was not sent waits in the queue."""
        self._ended.set()
        with self._lock:
            process = self._process
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _run(self) -> None:
        while not self._ended.wait(self._gather_seconds):
            self._called.clear()
            for trouble in self._send():
                self._tell(trouble)
            with self._lock:
                if not self._called.is_set():
                    self._thread = None
                    return

    def _send(self) -> list[str]:
        try:
            with self._lock:
                if self._ended.is_set():
                    return []
                # Its own session: a Ctrl-C of the terminal is not for it.
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    errors="replace",
                    start_new_session=True,
                )
            with self._process as process:
                assert process.stdout is not None
                return [line.strip() for line in process.stdout if line.strip()]
        except OSError as error:
            return [f"Decisions cannot be sent: {error}"]
        finally:
            with self._lock:
                self._process = None

    def _tell(self, trouble: str) -> None:
        """Tell once that a hub is away; the log has it each time."""
        log.warning("hub: %s", trouble)
        if not self._has_told and not self._ended.is_set():
            self._has_told = True
            self._on_trouble(trouble)
