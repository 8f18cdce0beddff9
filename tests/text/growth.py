"""Whether the time that a text takes grows as the text does, in CPU time: others may be busy."""

from __future__ import annotations

import time
from collections.abc import Callable

_RUNS = 3
_MOST_SECONDS = 3.0
# So long may any text take: below that a short one tells nothing.
_ANY_SECONDS = 0.1


def is_linear(work: Callable[[str], object], short: str, long: str) -> bool:
    """Whether four times the text takes four times the work.

    One that is read over and over takes sixteen times. A run that was disturbed is made again.
    """
    if _seconds(work, long) < _ANY_SECONDS:
        return True
    least = min(_seconds(work, short) for _ in range(_RUNS))
    bound = min(_MOST_SECONDS, 9 * least + _ANY_SECONDS)
    return any(_seconds(work, long) < bound for _ in range(_RUNS))


def _seconds(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start
