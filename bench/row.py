"""One line of the table of figures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `aim` is the greatest ratio that is good, or None if there is none."""

    case: str
    figure: str
    value: float
    baseline: str
    base: float
    aim: float | None
    unit: str = "s"

    @property
    def ratio(self) -> float:
        """The figure in units of its baseline."""
        return self.value / self.base if self.base else float("inf")

    @property
    def is_good(self) -> bool | None:
        """Whether the aim is reached."""
        return None if self.aim is None else self.ratio <= self.aim
