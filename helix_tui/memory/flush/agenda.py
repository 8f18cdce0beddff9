"""Which sessions are to be flushed, and from when on: what hooks reported, and what failed."""

from __future__ import annotations

from collections.abc import Mapping

from helix_tui.files.numbers import Numbers
from helix_tui.memory.places import MemoryPlaces


class Agenda:
    """Sessions by the moment (ms) from which on they are due; where there are none, no file."""

    def __init__(self, places: MemoryPlaces) -> None:
        self._due = Numbers(places.root / "agenda.json")

    def read(self) -> dict[str, int]:
        """All that is to be done."""
        return self._due.read()

    def put(self, due: Mapping[str, int | None]) -> None:
        """Enters sessions, each in place of what it had; None takes one off."""
        if not due:
            return
        with self._due.changing() as known:
            for name, at in due.items():
                if at is None:
                    known.pop(name, None)
                else:
                    known[name] = at
