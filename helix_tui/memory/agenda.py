"""Which sessions are to be flushed, and from when on: what hooks reported, and what failed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
from filelock import FileLock

from helix_tui.memory.places import MemoryPlaces, make_private
from helix_tui.memory.set_aside import set_aside
from helix_tui.store.durable import remove_durably, told, write_atomically
from helix_tui.store.layout import FILE_MODE

_SECONDS_TO_WAIT = 10


class Agenda:
    """Sessions by the moment (ms) from which on they are due."""

    def __init__(self, places: MemoryPlaces) -> None:
        self._path = places.root / "agenda.json"

    def read(self) -> dict[str, int]:
        """All that is to be done."""
        with told(self._path):
            try:
                return msgspec.json.decode(self._path.read_bytes(), type=dict[str, int])
            except FileNotFoundError:
                return {}
            except msgspec.DecodeError:
                set_aside(self._path)
                return {}

    def put(self, due: Mapping[str, int | None]) -> None:
        """Enters sessions, each in place of what it had; None takes one off."""
        if not due:
            return
        with told(self._path):
            make_private(self._path.parent)
        lock_path = Path(f"{self._path}.lock")
        with FileLock(lock_path, timeout=_SECONDS_TO_WAIT, mode=FILE_MODE, thread_local=False):
            known = self.read()
            merged = {**known, **due}
            left = {name: at for name, at in sorted(merged.items()) if at is not None}
            if left and left != known:
                write_atomically(self._path, msgspec.json.encode(left), FILE_MODE)
            elif not left and known:
                # A sweep that finds no file loads nothing of this.
                remove_durably(self._path)
