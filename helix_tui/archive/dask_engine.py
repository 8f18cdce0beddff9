"""Have units read by a Dask cluster, named by its scheduler's address or started here."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from helix_tui.archive.engines import AHEAD, MOST_TRIES, Read, failure_of
from helix_tui.archive.unit import batches_of_unit
from helix_tui.errors import UsageError

_SECONDS_TO_CONNECT = 20
_SECONDS_BETWEEN_LOOKS = 5.0


class Dask:
    """A cluster; without an address one of processes on this machine, for as long as it is used."""

    def __init__(
        self,
        address: str,
        workers: int,
        work: Callable[[bytes], list[bytes]] = batches_of_unit,
    ) -> None:
        from distributed import Client, LocalCluster

        self._work = work
        logging.getLogger("distributed").setLevel(logging.ERROR)
        self._cluster: Any = None
        self._is_closed = threading.Event()
        if not address:
            self._cluster = LocalCluster(
                n_workers=max(1, workers), threads_per_worker=1, dashboard_address=None
            )
            threading.Thread(target=self._replace, args=(max(1, workers),), daemon=True).start()
        try:
            self._client: Any = Client(
                self._cluster or address, timeout=_SECONDS_TO_CONNECT, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise UsageError(
                f"No Dask scheduler answers at {address}: {failure_of(error)}.",
                "Start one with `dask scheduler`, with workers that have helix-tui[archive].",
            ) from error

    def read(self, tasks: Sequence[bytes], cancelled: Callable[[], bool]) -> Iterator[Read]:
        """Read all tasks; the scheduler gives a unit whose worker died to another."""
        from distributed import as_completed

        indexes: dict[str, int] = {}
        waiting = iter(range(len(tasks)))
        done = as_completed(loop=self._client.loop)

        def submit() -> None:
            index = next(waiting, None)
            if index is not None:
                # A unit is read again where the log has grown: its bytes are no key.
                future = self._client.submit(
                    self._work, tasks[index], pure=False, retries=MOST_TRIES - 1
                )
                indexes[future.key] = index
                done.add(future)

        for _ in range(max(1, self._threads()) * AHEAD):
            submit()
        for future in done:
            if cancelled():
                self._client.cancel([future])
                return
            index = indexes.pop(future.key)
            try:
                yield Read(index, future.result())
            except Exception as error:  # noqa: BLE001 - a unit that cannot be read costs itself
                yield Read(index, [], failure_of(error))
            future.release()
            submit()

    def _replace(self, workers: int) -> None:
        """Start workers anew that are gone for good.

        A worker that dies is started again by its nanny; a nanny whose worker dies while it starts
        gives up, and with the last of them everything would wait for ever.
        """
        while not self._is_closed.wait(_SECONDS_BETWEEN_LOOKS):
            self._cluster.scale(workers)

    def processes(self) -> list[int]:
        """The workers' processes, by number."""
        return list(self._client.run(os.getpid).values())

    def _threads(self) -> int:
        return sum(self._client.nthreads().values())

    def close(self) -> None:
        """Leave the cluster, and end the one that was started here."""
        self._is_closed.set()
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()
