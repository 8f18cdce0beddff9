"""Which sessions are to be flushed, and when: what hooks reported, and what failed."""

from __future__ import annotations

from collections.abc import Mapping

from helix_tui.files.numbers import Numbers
from helix_tui.memory.places import MemoryPlaces


class Agenda:
    """Sessions by the moment (ms) from which on they are due; no file where there are none."""

    def __init__(self, places: MemoryPlaces) -> None:
        self._due = Numbers(places.root / "agenda.json")

    def read(self) -> dict[str, int]:
        """All sessions that are due, now or later."""
        return self._due.read()

    def put(self, due: Mapping[str, int | None]) -> None:
        """Set when sessions are due; None removes one."""
        if not due:
            return
        with self._due.changing() as agenda:
            for name, at in due.items():
                if at is None:
                    agenda.pop(name, None)
                else:
                    agenda[name] = at
