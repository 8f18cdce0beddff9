"""Bars over time, drawn in eighths of a cell: readable without colour."""

from __future__ import annotations

from collections.abc import Sequence

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_WIDEST = 6


def chart_lines(values: Sequence[float], width: int, height: int) -> list[str]:
    """The last values that fit as bars of so many lines, the lowest line last.

    What is more than nothing can be seen.
    """
    values = values[-width:]
    step = max(1, min(_WIDEST, width // max(1, len(values))))
    gap = 1 if step > 1 else 0
    top = max(values, default=0.0)
    eighths = [
        max(1, round(value / top * height * 8)) if top and value > 0 else 0 for value in values
    ]
    lines = []
    for line in range(height - 1, -1, -1):
        cells = [_EIGHTHS[max(0, min(8, count - line * 8))] for count in eighths]
        lines.append("".join(cell * (step - gap) + " " * gap for cell in cells)[:width])
    return [line.ljust(width) for line in lines]
