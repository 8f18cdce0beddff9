"""What distilling programs may read and write in a day, held across processes and restarts."""

from __future__ import annotations

from pathlib import Path

import msgspec
from filelock import FileLock

from helix_tui.memory.places import MemoryPlaces, make_private
from helix_tui.memory.set_aside import set_aside
from helix_tui.store.durable import told, write_atomically
from helix_tui.store.layout import FILE_MODE

_DAYS_KEPT = 31
_SECONDS_TO_WAIT = 10


def tokens_of(size: int) -> int:
    """About how many tokens so many bytes of text are, rather too many than too few."""
    return -(-size // 4)


class Spending:
    """The tokens of each day; what may be needed is booked before, what was not needed given back.

    A process that dies in between has spent all that it booked.
    """

    def __init__(self, places: MemoryPlaces) -> None:
        self._path = places.root / "spent.json"

    def book(self, day: str, least: int, most: int, cap: int) -> int:
        """Takes up to `most` tokens off a day's cap and says how many; 0 if not `least` are left.

        A cap of 0 is none.
        """
        with self._locked():
            spent = self._read()
            booked = min(most, cap - spent.get(day, 0)) if cap else most
            if booked < least:
                return 0
            spent[day] = spent.get(day, 0) + booked
            self._write(spent)
            return booked

    def settle(self, day: str, booked: int, used: int) -> None:
        """Makes of what was booked what was used."""
        with self._locked():
            spent = self._read()
            spent[day] = max(0, spent.get(day, 0) + used - booked)
            self._write(spent)

    def spent(self, day: str) -> int:
        """What was spent on a day so far."""
        return self._read().get(day, 0)

    def _locked(self) -> FileLock:
        with told(self._path):
            make_private(self._path.parent)
        lock_path = Path(f"{self._path}.lock")
        return FileLock(lock_path, timeout=_SECONDS_TO_WAIT, mode=FILE_MODE, thread_local=False)

    def _read(self) -> dict[str, int]:
        with told(self._path):
            try:
                return msgspec.json.decode(self._path.read_bytes(), type=dict[str, int])
            except FileNotFoundError:
                return {}
            except msgspec.DecodeError:
                set_aside(self._path)
                return {}

    def _write(self, spent: dict[str, int]) -> None:
        kept = {day: spent[day] for day in sorted(spent)[-_DAYS_KEPT:]}
        write_atomically(self._path, msgspec.json.encode(kept), FILE_MODE)
