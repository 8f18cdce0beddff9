"""One sweep in a child process, read line by line by a thread."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from helix_tui.tui.messages import SweepState

if TYPE_CHECKING:
    from helix_tui.events import SweepReport

OnProgress = Callable[[SweepState], None]
OnGrouped = Callable[[], None]
OnReport = Callable[["SweepReport"], None]
OnEnd = Callable[["SweepReport | None", str, bool], None]
# Asked in order first, then told: together below the two seconds that leaving may take.
_SECONDS_IN_ORDER = 1.2
_SECONDS_TERMINATED = 0.4
_SAID_LIMIT = 2_000


class SweepProcess:
    """A running sweep; it ends with its process, and that with this one."""

    def __init__(
        self,
        command: list[str],
        on_progress: OnProgress,
        on_grouped: OnGrouped,
        on_report: OnReport,
        on_trouble: Callable[[str], None],
        on_end: OnEnd,
    ) -> None:
        self._on_progress = on_progress
        self._on_grouped = on_grouped
        self._on_report = on_report
        self._on_trouble = on_trouble
        self._on_end = on_end
        self._is_stopped = False
        self._began = time.monotonic()
        # Its own session: a Ctrl-C of the terminal is not for it, and all its readers end with it.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self._said: list[str] = []
        self._errors = threading.Thread(
            target=self._read_errors, name="helix-sweep-errors", daemon=True
        )

    def start(self) -> None:
        """Begin to read what it says; from now on the end is told."""
        self._errors.start()
        threading.Thread(target=self._read, name="helix-sweep", daemon=True).start()

    def ask_to_stop(self) -> None:
        """Let the sweep end in order: what it has begun is finished and kept."""
        self._is_stopped = True
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._signal(signal.SIGTERM)

    def end(self) -> None:
        """End the sweep within two seconds, in order if it can."""
        self.ask_to_stop()
        for seconds, number in (
            (_SECONDS_IN_ORDER, signal.SIGINT),
            (_SECONDS_TERMINATED, signal.SIGKILL),
        ):
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                self._signal(number, is_group=number == signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_SECONDS_TERMINATED)

    def _signal(self, number: signal.Signals, *, is_group: bool = False) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if is_group:
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with suppress(OSError, ValueError):
            for line in self._process.stderr:
                self._said.append(line)
                del self._said[:-20]

    def _read(self) -> None:
        from helix_tui.engine.sweep.process import SweepFailed, TroubleFollowed, event_of
        from helix_tui.events import (
            CandidatesGrouped,
            DigestsMade,
            Progress,
            SweepFinished,
            SweepStarted,
        )

        report, trouble, is_over = None, "", False
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                event = event_of(line)
                if isinstance(event, SweepStarted):
                    self._on_progress(SweepState(0, event.changed_units, 0, event.changed_bytes))
                elif isinstance(event, Progress):
                    self._on_progress(
                        SweepState(
                            event.units_done,
                            event.units_total,
                            event.bytes_done,
                            event.bytes_total,
                            time.monotonic() - self._began,
                        )
                    )
                elif isinstance(event, DigestsMade):
                    done, total = event.sessions_done, event.sessions_total
                    self._on_progress(
                        SweepState(done, total, done, total, time.monotonic() - self._began)
                    )
                elif isinstance(event, CandidatesGrouped):
                    self._on_grouped()
                elif isinstance(event, SweepFinished):
                    report = event.report
                    self._on_report(report)
                elif isinstance(event, TroubleFollowed):
                    self._on_trouble(event.what)
                elif isinstance(event, SweepFailed):
                    trouble = f"{event.what} {event.todo}".strip()
            is_over = True
        except Exception as error:  # noqa: BLE001 - a line that is none must not end in silence
            trouble = trouble or f"The sweep said what cannot be read: {error}"
            self._signal(signal.SIGTERM)
        code = self._process.wait()
        self._errors.join(_SECONDS_TERMINATED)  # what it said last may still be on its way
        if is_over and report is None and not trouble and not self._is_stopped:
            last_words = "".join(self._said)[-_SAID_LIMIT:].strip().rpartition("\n")[2]
            trouble = f"The sweep ended with code {code}. {last_words}".strip()
        self._on_end(report, trouble, self._is_stopped)
