"""Has processes that only sweep look for cycles of garbage seldom."""

from __future__ import annotations

import gc

# New containers between two looks for cycles, of which reading and storing make none.
_THRESHOLD = 100_000


def spare_gc() -> None:
    """Saves a process that does nothing but sweep a twentieth of its time."""
    gc.freeze()
    gc.set_threshold(_THRESHOLD)
