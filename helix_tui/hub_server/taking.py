"""Record decisions as they come, many in one transaction, in a thread of its own.

Whoever sends one is answered when it is on the disk. While one transaction is written, the next
requests gather: the busier the hub, the more go together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from helix_tui.errors import StoreError
from helix_tui.hub_server.figures import Figures
from helix_tui.hub_server.records import Arrival, Records, hash_of

log = logging.getLogger(__name__)
_MOST_AT_ONCE = 256
_MOST_WAITING = 2048
# A token that was revoked is refused after so many seconds at the latest.
_TOKENS_KEPT_SECONDS = 1.0
# The answer where the database is away: whoever sent the decision comes again.
UNAVAILABLE = 503
_Result = TypeVar("_Result")


class BusyError(Exception):
    """More decisions wait than the hub keeps in memory."""


class _Waiting(NamedTuple):
    arrival: Arrival
    answer: asyncio.Future[int]


class Taking:
    """The one writer of the records, fed by all requests."""

    def __init__(self, records: Records, figures: Figures) -> None:
        self._records = records
        self._figures = figures
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hub-records")
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue(_MOST_WAITING)
        self._senders: dict[str, str] = {}
        self._senders_at = float("-inf")
        self._task: asyncio.Task[None] | None = None
        self._is_connected = True

    @property
    def waiting(self) -> int:
        """How many decisions wait to be recorded."""
        return self._queue.qsize()

    def start(self) -> None:
        """Begin to record what comes."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Record what waits, then end."""
        await self._queue.join()
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown()

    async def sender_of(self, token: str) -> str:
        """Whose token it is; empty where nobody's."""
        now = time.monotonic()
        if now - self._senders_at > _TOKENS_KEPT_SECONDS:
            self._senders = await self._in_thread(self._records.senders)
            self._senders_at = now
        return self._senders.get(hash_of(token), "")

    async def is_ready(self) -> bool:
        """Whether the database answers."""
        return await self._in_thread(self._records.is_ready)

    async def take(self, arrival: Arrival) -> int:
        """Record a decision; the status of the answer, once it is on the disk."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        try:
            self._queue.put_nowait(_Waiting(arrival, answer))
        except asyncio.QueueFull:
            raise BusyError from None
        return await answer

    async def _in_thread(self, work: Callable[[], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _run(self) -> None:
        while True:
            some = [await self._queue.get()]
            while len(some) < _MOST_AT_ONCE and not self._queue.empty():
                some.append(self._queue.get_nowait())
            await self._record(some)
            for _ in some:
                self._queue.task_done()

    async def _record(self, some: list[_Waiting]) -> None:
        arrivals = [waiting.arrival for waiting in some]
        try:
            statuses = await self._in_thread(lambda: self._take(arrivals))
        except StoreError as error:
            log.warning("%s", error)
            statuses = [UNAVAILABLE] * len(some)
        else:
            self._figures.commits += 1
        for waiting, status in zip(some, statuses, strict=True):
            if not waiting.answer.done():  # who sent it may have gone away meanwhile
                waiting.answer.set_result(status)

    def _take(self, arrivals: list[Arrival]) -> list[int]:
        now_ms = time.time_ns() // 1_000_000
        if not self._is_connected:
            self._records.reconnect()
        self._is_connected = False
        statuses = self._records.take(arrivals, now_ms)
        self._is_connected = True
        return statuses
