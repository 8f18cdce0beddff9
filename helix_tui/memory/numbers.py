"""A small file of numbers by name, changed by one process at a time and never torn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from helix_tui.errors import StoreBusyError
from helix_tui.memory.set_aside import set_aside
from helix_tui.regular import read_regular
from helix_tui.store.durable import make_folder, remove_durably, told, write_atomically
from helix_tui.store.layout import FILE_MODE

_SECONDS_TO_WAIT = 10


class Numbers:
    """The file; what cannot be read is kept under another name, and begun anew."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, int]:
        """All of them."""
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
        """What there is, to be changed: it is written where it differs; nothing is no file."""
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
            known = self.read()
            changed = dict(known)
            yield changed
            if changed and changed != known:
                write_atomically(self._path, msgspec.json.encode(changed), FILE_MODE)
            elif known and not changed:
                remove_durably(self._path)
        finally:
            lock.release()
