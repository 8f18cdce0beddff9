"""Spread the reading of units over worker processes, with flat memory and no shared state."""

from __future__ import annotations

import fcntl
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import IO

import msgspec

from helix_tui.capture.units import failed_batch
from helix_tui.environment import outside_environment
from helix_tui.schema import UnitBatch, UnitTask
from helix_tui.workers.plugins import Plugins
from helix_tui.workers.reading import read_and_fold
from helix_tui.workers.wire import receive, send

# Below this a worker's start costs more than it saves.
MIN_BYTES_FOR_WORKERS = 64 << 20
# Units up to this size are read by the sweep's own process, too, while no batch waits for it.
SMALL_UNIT = 1 << 20
# As many batches as workers read during a transaction, so that they need not wait for it.
_QUEUED_PER_WORKER = 24
# A batch fits: a worker that had to wait for room would wait for the sweep's interpreter lock.
_PIPE_BYTES = 1 << 20
_GRACE_SECONDS = 0.5


def read_units(
    tasks: Sequence[UnitTask], workers: int, cancelled: Callable[[], bool], plugins: Plugins
) -> Iterator[UnitBatch]:
    """Batches of all tasks; those of one unit come in order.

    With zero workers units are read in this process, except those of plug-ins.
    """
    ours = [task for task in tasks if not plugins.reads(task.flavor)]
    yield from _read_ours(ours, workers, cancelled)
    for task in tasks if len(ours) < len(tasks) else ():
        if plugins.reads(task.flavor):
            yield from plugins.read(task)
        if cancelled():
            return


def _read_ours(
    tasks: Sequence[UnitTask], workers: int, cancelled: Callable[[], bool]
) -> Iterator[UnitBatch]:
    if workers == 0 or len(tasks) < 2 or sum(map(new_bytes, tasks)) < MIN_BYTES_FOR_WORKERS:
        for task in tasks:
            for batch in read_and_fold(task):
                yield batch
                if cancelled():
                    return
        return
    pool = _Pool(tasks, min(workers, len(tasks), max(1, _cores() - 1)), cancelled)
    try:
        for batch in pool.batches():
            yield batch
            if cancelled():
                return
    finally:
        pool.stop()


def _cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def new_bytes(task: UnitTask) -> int:
    """How many bytes of a unit are to be read, by its sizes."""
    return sum(
        part.stamp.size
        if part.is_document or part.cursor is None or part.cursor.offset > part.stamp.size
        else part.stamp.size - part.cursor.offset
        for part in task.parts
    )


class _Pool:
    """Worker processes, each with a thread that feeds it and collects its batches."""

    def __init__(
        self, tasks: Sequence[UnitTask], workers: int, cancelled: Callable[[], bool]
    ) -> None:
        self._cancelled = cancelled
        # The largest first, so that no worker is left alone with one at the end.
        self._large: deque[UnitTask] = deque()
        self._small: deque[UnitTask] = deque()
        for task in sorted(tasks, key=new_bytes, reverse=True):
            (self._large if new_bytes(task) > SMALL_UNIT else self._small).append(task)
        self._batches: queue.Queue[UnitBatch | BaseException | None] = queue.Queue(
            workers * _QUEUED_PER_WORKER
        )
        self._is_stopping = False
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    def batches(self) -> Iterator[UnitBatch]:
        """Everything that is read, until all tasks are done; the smallest units are read here."""
        running = len(self._threads)
        while running:
            task = _popped(self._small.pop) if self._batches.empty() else None
            if task is not None:
                yield from read_and_fold(task)
                continue
            batch = self._batches.get()
            if batch is None:
                running -= 1
            elif isinstance(batch, BaseException):
                raise batch
            else:
                yield batch

    def stop(self) -> None:
        """Kill the workers."""
        self._is_stopping = True
        self._large.clear()
        self._small.clear()
        for process in self._processes:
            process.kill()
        while any(thread.is_alive() for thread in self._threads):
            try:
                self._batches.get(timeout=0.05)
            except queue.Empty:
                continue

    def _serve(self) -> None:
        try:
            while (self._large or self._small) and not self._is_stopping:
                self._run_worker()
        except BaseException as error:  # noqa: BLE001 - handed to the thread that drives the sweep
            self._batches.put(error)
        finally:
            self._batches.put(None)

    def _run_worker(self) -> None:
        """Start a worker and feed it until no task is left or it dies."""
        decode = msgspec.msgpack.Decoder(UnitBatch).decode
        command = [sys.executable, "-m", "helix_tui.workers.process"]
        # In a session of its own a worker does not get the Ctrl-C that is meant for the sweep.
        # It gets no secrets, as no program that Helix starts does.
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=outside_environment(),
            start_new_session=True,
        ) as process:
            self._processes.append(process)
            assert process.stdin is not None
            assert process.stdout is not None
            _widen(process.stdout)
            while True:
                task = _popped(self._large.popleft) or _popped(self._small.popleft)
                if task is None:
                    return
                try:
                    send(process.stdin, msgspec.msgpack.encode(task))
                    is_done = False
                    while not is_done and (message := receive(process.stdout)) is not None:
                        batch = decode(message)
                        self._batches.put(batch)
                        is_done = batch.is_last
                except BrokenPipeError:
                    is_done = False
                if not is_done:
                    if not self._is_ending():
                        reason = "the process that read it died"
                        self._batches.put(failed_batch(task, task.parts[-1], reason))
                    return

    def _is_ending(self) -> bool:
        """Whether a worker died because the sweep is ending; the signal may reach it first."""
        deadline = time.monotonic() + _GRACE_SECONDS
        while not self._is_stopping and not self._cancelled():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        return True


def _popped(pop: Callable[[], UnitTask]) -> UnitTask | None:
    """A task, unless another thread took the last one."""
    try:
        return pop()
    except IndexError:
        return None


def _widen(pipe: IO[bytes]) -> None:
    """Enlarge a pipe so that it holds a batch, where the system allows it."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
