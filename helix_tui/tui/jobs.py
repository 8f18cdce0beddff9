"""Runs the engine's jobs beside the screen; what comes of them is posted as messages."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from textual._context import active_app
from textual.message import Message
from textual.message_pump import MessagePump

from helix_tui.errors import HelixError
from helix_tui.tui.hub_process import HubProcess
from helix_tui.tui.messages import (
    CandidatesFound,
    JobFailed,
    SweepEnded,
    SweepProgressed,
    SweepReported,
    SweepState,
)
from helix_tui.tui.sweep_process import SweepProcess
from helix_tui.yielding import give_way

if TYPE_CHECKING:
    from textual.app import App

    from helix_tui.events import SweepReport
    from helix_tui.tui.ports import EnginePort

log = logging.getLogger(__name__)


class Connection:
    """A source, how it is swept, and what a person should know of it."""

    def __init__(
        self,
        source: EnginePort,
        sweep_command: list[str],
        notice: str = "",
        is_sample: bool = False,
        send_command: Sequence[str] = (),
    ) -> None:
        self.source = source
        self.sweep_command = sweep_command
        self.notice = notice
        self.is_sample = is_sample
        self.send_command = send_command


class Jobs:
    """One for the whole app: lanes of jobs, and the one sweep.

    What is asked for on a lane is done in order, one after the other: verdicts are never
    reordered. No job touches a widget; it returns a message, which is posted to who asked.
    """

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._lanes: dict[str, ThreadPoolExecutor] = {}
        self._asked: dict[str, int] = {}
        self._listeners: list[MessagePump] = []
        self._sweep_process: SweepProcess | None = None
        self._hub_process: HubProcess | None = None
        self._is_closed = False
        self.connection: Connection | None = None
        self.sweep_state: SweepState | None = None
        self.failures: list[JobFailed] = []

    @property
    def source(self) -> EnginePort:
        """What answers; only to be asked for in a job, behind the one that opened it."""
        assert self.connection is not None, "jobs are put off until there is a source"
        return self.connection.source

    @property
    def is_closed(self) -> bool:
        """Whether jobs that take long are to end."""
        return self._is_closed

    def listen(self, listener: MessagePump) -> None:
        """Tell a screen of sweeps and verdicts from now on."""
        self._listeners.append(listener)

    def unlisten(self, listener: MessagePump) -> None:
        """Tell a screen no longer."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    def ask(
        self,
        job: str,
        work: Callable[[], Message | None],
        to: MessagePump,
        lane: str = "reading",
        *,
        is_latest_only: bool = False,
    ) -> None:
        """Do work on a lane and post what it returns; `job` names it where it fails.

        Where only the latest counts, what was asked for before and has not begun is left out.
        """

        def run() -> None:
            message = work()
            if message is not None and not self._is_closed:
                self._post(to, message)

        self.do(job, run, lane, is_latest_only=is_latest_only, asker=to)

    def do(
        self,
        job: str,
        work: Callable[[], None],
        lane: str,
        *,
        is_latest_only: bool = False,
        asker: MessagePump | None = None,
    ) -> None:
        """Do work on a lane; who asked for an answer is told when there is none."""
        if self._is_closed:
            return
        pool = self._lanes.get(lane)
        if pool is None:
            pool = self._lanes[lane] = ThreadPoolExecutor(1, f"helix-{lane}")
        number = self._asked[job] = self._asked.get(job, 0) + 1

        def run() -> None:
            if lane != "verdicts":
                give_way()  # the key that asked for this is answered first
            if is_latest_only and self._asked[job] != number:
                return
            try:
                work()
            except HelixError as error:
                self.fail(job, error.what, error.todo, asker)
            except Exception as error:
                log.exception("%s failed", job)
                reason = f"{type(error).__name__}: {error}"
                self.fail(job, reason, "The log has the details.", asker)

        pool.submit(run)

    def fail(self, job: str, reason: str, todo: str = "", asker: MessagePump | None = None) -> None:
        """Say that something went wrong, on the screen and in the list of problems."""
        self.note_failure(job, reason, todo)
        if not self._is_closed:
            for listener in (self._app, asker):
                if listener is not None:
                    self._post(listener, JobFailed(job, reason, todo))

    def note_failure(self, job: str, reason: str, todo: str = "") -> None:
        """Enter something that is told otherwise into the list of problems."""
        log.warning("%s: %s", job, reason)
        self.failures.append(JobFailed(job, reason, todo))

    @property
    def is_sweeping(self) -> bool:
        """Whether a sweep runs."""
        return self._sweep_process is not None

    def start_sweep(self) -> str:
        """Start a sweep in a process of its own, or say why not."""
        if self._sweep_process is not None:
            return "A sweep is running already."
        if self.connection is None:
            return "The store is being opened."
        try:
            sweep_process = SweepProcess(
                self.connection.sweep_command,
                self._on_progress,
                lambda: self.tell(CandidatesFound),
                self._on_report,
                lambda reason: self.fail("behind the sweep", reason),
                self._on_end,
            )
        except OSError as error:
            return f"The sweep cannot be started: {error}"
        self._sweep_process = sweep_process
        self.sweep_state = SweepState()
        self.tell(lambda: SweepProgressed(SweepState()))
        sweep_process.start()  # only now: it may be over at once
        return ""

    def stop_sweep(self) -> str:
        """Ask the sweep to end in order, or say why there is nothing to stop."""
        if self._sweep_process is None:
            return "No sweep is running."
        self._sweep_process.ask_to_stop()
        self.sweep_state = (self.sweep_state or SweepState())._replace(is_stopping=True)
        return ""

    def send_decisions(self) -> None:
        """Have the hub told of what was decided, if there is one; nothing waits for that."""
        command = self.connection.send_command if self.connection else ()
        if self._is_closed or not command:
            return
        if self._hub_process is None:
            self._hub_process = HubProcess(command, lambda reason: self.fail("hub", reason))
        self._hub_process.call()

    def close(self) -> None:
        """End the sweep and wait until every verdict that was given is written."""
        self._is_closed = True
        sweep_process = self._sweep_process
        if sweep_process is not None:
            sweep_process.ask_to_stop()
        for lane, pool in self._lanes.items():
            pool.shutdown(wait=lane == "verdicts", cancel_futures=lane != "verdicts")
        if sweep_process is not None:
            sweep_process.end()
        if self._hub_process is not None:
            self._hub_process.end()

    def _on_progress(self, state: SweepState) -> None:
        stopping = self.sweep_state is not None and self.sweep_state.is_stopping
        self.sweep_state = state._replace(is_stopping=stopping)
        shown = self.sweep_state
        self.tell(lambda: SweepProgressed(shown))

    def _on_report(self, report: SweepReport) -> None:
        self.tell(lambda: SweepReported(report))

    def _on_end(self, report: SweepReport | None, trouble: str, is_stopped: bool) -> None:
        self._sweep_process = None
        self.sweep_state = None
        if trouble:
            self.fail("sweep", trouble)
        self.tell(lambda: SweepEnded(report, trouble, is_stopped))

    def tell(self, make: Callable[[], Message]) -> None:
        """Post a message of its own to each who listens; any thread may."""
        if not self._is_closed:
            for listener in list(self._listeners):
                self._post(listener, make())

    def _post(self, to: MessagePump, message: Message) -> None:
        """Post a message from any thread.

        A thread has no app of its own. Textual then looks for one above whoever is told, and finds
        none where that is a screen that is just coming or leaving.
        """
        if active_app.get(None) is None:
            active_app.set(self._app)
        to.post_message(message)
