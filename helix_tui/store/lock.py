"""One writer at a time; the kernel frees the lock when its holder dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from helix_tui.errors import StoreBusyError
from helix_tui.files.durable import FILE_MODE, FOLDER_MODE
from helix_tui.store.database import translated
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.space import release_reserve_if_low


@contextmanager
def writer_lock(layout: StoreLayout) -> Iterator[None]:
    """Hold the store for writing; raise StoreBusyError at once if somebody else does."""
    with translated(layout):
        layout.root.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        lock = FileLock(layout.lock, mode=FILE_MODE, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise StoreBusyError(
                f"Another sweep is writing to the store in {layout.root}.",
                "Wait until it is done; nothing was changed.",
            ) from error
    try:
        with translated(layout):
            release_reserve_if_low(layout)
        yield
    finally:
        lock.release()
