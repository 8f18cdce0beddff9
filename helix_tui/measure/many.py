"""Many patterns at once: how many of those that seem to have helped would seem so by luck."""

from __future__ import annotations

from collections.abc import Sequence


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """The false discovery rate at which each would still count, in the order given."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at], reverse=True)
    adjusted = [1.0] * len(p_values)
    least = 1.0
    for above, at in enumerate(order):
        rank = len(p_values) - above
        least = min(least, p_values[at] * len(p_values) / rank)
        adjusted[at] = least
    return adjusted
