"""Have units read by processes of this machine; an engine elsewhere has the same interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import NamedTuple, Protocol

from helix_tui.archive.unit import batches_of_unit

# A unit that took its reader down so often is set aside.
MOST_TRIES = 3
# Units that are under way for each reader: enough to keep it busy, few enough for flat memory.
AHEAD = 2


class Read(NamedTuple):
    """What became of a unit: its batches, or why there are none."""

    at: int
    batches: list[bytes]
    failure: str = ""


class Engine(Protocol):
    """Reads units somewhere; the results come in any order, each once."""

    def read(self, tasks: Sequence[bytes], cancelled: Callable[[], bool]) -> Iterator[Read]:
        """Read all tasks; `at` is the place of a task in the sequence."""

    def close(self) -> None:
        """Let go of what the engine holds."""


class Processes:
    """Processes of this machine, started anew where one dies."""

    def __init__(
        self, workers: int, work: Callable[[bytes], list[bytes]] = batches_of_unit
    ) -> None:
        self._workers = max(1, workers)
        self._work = work

    def read(self, tasks: Sequence[bytes], cancelled: Callable[[], bool]) -> Iterator[Read]:
        """Read all tasks; a unit whose process dies is tried again, alone at the last."""
        tries = dict.fromkeys(range(len(tasks)), 0)
        waiting = list(reversed(range(len(tasks))))
        suspects: list[int] = []
        while waiting or suspects:
            # Who shared a pool with what broke it is innocent until it breaks one alone.
            is_alone = not waiting
            some, limit = (suspects, 1) if is_alone else (waiting, self._workers * AHEAD)
            broken: list[int] = []
            with self._pool(min(limit, self._workers)) as pool:
                yield from self._drain(pool, tasks, some, broken, limit, cancelled)
            if cancelled():
                return
            for index in broken:
                tries[index] += 1
                if is_alone and tries[index] >= MOST_TRIES:
                    yield Read(index, [], "the process that read it died each time")
                else:
                    suspects.append(index)

    def _pool(self, workers: int) -> ProcessPoolExecutor:
        # Nothing is inherited: the store's lock and connection stay with the writer.
        return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))

    def _drain(
        self,
        pool: ProcessPoolExecutor,
        tasks: Sequence[bytes],
        waiting: list[int],
        broken: list[int],
        limit: int,
        cancelled: Callable[[], bool],
    ) -> Iterator[Read]:
        """Read until nothing waits, or the pool breaks; then `broken` is what was under way."""
        running: dict[Future[list[bytes]], int] = {}
        while (waiting or running) and not broken:
            while waiting and len(running) < limit:
                index = waiting.pop()
                try:
                    running[pool.submit(self._work, tasks[index])] = index
                except BrokenExecutor:
                    waiting.append(index)
                    break
            done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            if cancelled():
                pool.shutdown(wait=False, cancel_futures=True)
                return
            for future in done:
                index = running.pop(future)
                try:
                    read = Read(index, future.result())
                except BrokenExecutor:
                    broken += [index, *running.values()]
                    running.clear()
                    break
                except Exception as error:  # noqa: BLE001 - a unit that cannot be read costs itself
                    read = Read(index, [], failure_of(error))
                yield read

    def close(self) -> None:
        """Nothing is held between two reads."""


def failure_of(error: BaseException) -> str:
    """Why a unit could not be read, in a line."""
    words = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
