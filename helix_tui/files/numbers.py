"""A small file of numbers by name, changed by one process at a time and never torn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from helix_tui.errors import StoreBusyError
from helix_tui.files.durable import FILE_MODE, make_folder, remove_durably, told, write_atomically
from helix_tui.files.regular import read_regular
from helix_tui.files.set_aside import set_aside

_SECONDS_TO_WAIT = 10


class Numbers:
    """The file; an unreadable one is set aside, and a new one begun."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, int]:
        """All numbers by name."""
        with told(self._path):
            try:
                return msgspec.json.decode(read_regular(self._path), type=dict[str, int])
            except FileNotFoundError:
                return {}
            except msgspec.DecodeError:
                set_aside(self._path)
                return {}

    @contextmanager
    def changing(self) -> Iterator[dict[str, int]]:
        """The numbers to be changed, written if they differ; no file is kept for none."""
        with told(self._path):
            make_folder(self._path.parent)
        lock = FileLock(Path(f"{self._path}.lock"), mode=FILE_MODE, thread_local=False)
        try:
            lock.acquire(timeout=_SECONDS_TO_WAIT)
        except Timeout as error:
            raise StoreBusyError(
                f"Another process holds {self._path}.", "Wait until it is done and try again."
            ) from error
        try:
            stored = self.read()
            changed = dict(stored)
            yield changed
            if changed and changed != stored:
                write_atomically(self._path, msgspec.json.encode(changed), FILE_MODE)
            elif stored and not changed:
                remove_durably(self._path)
        finally:
            lock.release()
