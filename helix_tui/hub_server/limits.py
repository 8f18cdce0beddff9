"""Keep one machine from crowding out the others: so many requests a second for each token."""

from __future__ import annotations

import math


class Limits:
    """A bucket of requests for each token, filled at a steady rate."""

    def __init__(self, per_second: float) -> None:
        self._per_second = per_second
        self._buckets: dict[str, tuple[float, float]] = {}

    def seconds_to_wait(self, name: str, now: float) -> int:
        """Take one request of a token at a moment; 0, or after how many seconds there is room."""
        left, since = self._buckets.get(name, (self._per_second, now))
        left = min(self._per_second, left + (now - since) * self._per_second)
        if left < 1:
            self._buckets[name] = (left, now)
            return max(1, math.ceil((1 - left) / self._per_second))
        self._buckets[name] = (left - 1, now)
        return 0
