"""The tokens that models and programs may use in a day, kept across processes and restarts."""

from __future__ import annotations

from pathlib import Path

from helix_tui.files.numbers import Numbers

_DAYS_KEPT = 31


def tokens_of(size: int) -> int:
    """About how many tokens this many bytes of text are, rather too many than too few."""
    return -(-size // 4)


class Spending:
    """The tokens of each day in a file: booked before use, and what was not used given back.

    A process that dies in between has spent all that it booked.
    """

    def __init__(self, file: Path) -> None:
        self._by_day = Numbers(file)

    def book(self, day: str, least: int, most: int, cap: int) -> int:
        """Book up to `most` tokens of a day's cap; return how many, 0 if not `least` are left.

        A cap of 0 is none.
        """
        with self._by_day.changing() as spent:
            booked = min(most, cap - spent.get(day, 0)) if cap else most
            if booked < least:
                return 0
            spent[day] = spent.get(day, 0) + booked
            for old in sorted(spent)[:-_DAYS_KEPT]:
                del spent[old]
            return booked

    def settle(self, day: str, booked: int, used: int) -> None:
        """Replace booked tokens by those used."""
        with self._by_day.changing() as spent:
            spent[day] = max(0, spent.get(day, 0) + used - booked)

    def spent(self, day: str) -> int:
        """What was spent on a day so far."""
        return self._by_day.read().get(day, 0)
