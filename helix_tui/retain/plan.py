"""Decide which sessions' raw bytes go: by age, above the soft cap, above the hard cap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from helix_tui.schema import Caps, DiskUsage, Evictable, Eviction, PassName, RetentionPlan
from helix_tui.text.times import EARLIEST, latest_believed

GROWING_MS = 60 * 60 * 1000
_DAY_MS = 24 * 60 * 60 * 1000
_LONG_AGO = -(1 << 62)
_LAST_RESORT = "not analyzed yet, and nothing else left above the hard cap"


def plan(sessions: Iterable[Evictable], usage: DiskUsage, caps: Caps, now_ms: int) -> RetentionPlan:
    """List every eviction and its reason, the least recently used first.

    Raw bytes of a session without a digest go only where nothing else brings usage under the hard
    cap; such an eviction is reported as a data loss.
    """
    planner = _Planner(sessions, usage.raw, now_ms)
    planner.by_age(caps.max_age_days)
    planner.to_soft_cap(caps.soft)
    planner.to_hard_cap(caps.hard)
    return RetentionPlan(caps, usage, tuple(planner.evictions))


def is_growing(last_ts: int, now_ms: int) -> bool:
    """Whether a session may still be written to.

    A clock that ran ahead must not keep it growing for ever.
    """
    return now_ms - GROWING_MS < last_ts <= now_ms + GROWING_MS


class _Planner:
    """Three passes, each over the sessions that the one before left."""

    def __init__(self, sessions: Iterable[Evictable], raw: int, now_ms: int) -> None:
        self._now = now_ms
        self._left = sorted(sessions, key=self._last_used)
        self._raw = raw
        self.evictions: list[Eviction] = []

    def by_age(self, max_days: int) -> None:
        """Evict what is older than the limit, whatever the caps say.

        A session without a known time is never too old.
        """
        if max_days:
            oldest = self._now - max_days * _DAY_MS
            aged = [
                item
                for item in self._left
                if self._is_free(item) and _LONG_AGO < self._last_used(item)[0] < oldest
            ]
            self._evict(aged, "age", f"older than {max_days} days")

    def to_soft_cap(self, cap: int) -> None:
        """Evict the oldest that are analyzed, not pinned and not growing."""
        free = [item for item in self._left if self._is_free(item)]
        self._evict(free, "soft", "the oldest above the soft cap", down_to=cap)

    def to_hard_cap(self, cap: int) -> None:
        """Evict the analyzed, then growing ones, then pinned ones; the rest as a last resort."""
        steps: tuple[tuple[Callable[[Evictable], bool], str], ...] = (
            (self._is_free, "above the hard cap"),
            (
                lambda item: item.is_analyzed and not item.is_pinned,
                "still growing, above the hard cap",
            ),
            (lambda item: item.is_analyzed, "pinned, above the hard cap"),
            (lambda item: not item.is_pinned, _LAST_RESORT),
            (lambda item: True, f"pinned, {_LAST_RESORT}"),
        )
        for fits, reason in steps:
            chosen = [item for item in self._left if fits(item)]
            self._evict(chosen, "hard", reason, down_to=cap)

    def _is_free(self, session: Evictable) -> bool:
        grows = session.last_ts is not None and is_growing(session.last_ts, self._now)
        return session.is_analyzed and not session.is_pinned and not grows

    def _last_used(self, session: Evictable) -> tuple[int, str]:
        """Return the sort key; a session without a credible time comes first."""
        ts = session.last_ts
        is_known = ts is not None and EARLIEST <= ts <= latest_believed(self._now)
        return (ts if ts is not None and is_known else _LONG_AGO), session.id

    def _evict(
        self, sessions: Sequence[Evictable], name: PassName, reason: str, down_to: int = -1
    ) -> None:
        evicted_keys: set[int] = set()
        for session in sessions:
            if self._raw <= down_to:
                break
            self._raw -= session.raw_bytes
            evicted_keys.add(session.key)
            self.evictions.append(
                Eviction(
                    session.key,
                    session.id,
                    session.raw_bytes,
                    name,
                    reason,
                    not session.is_analyzed,
                    session.is_session,
                )
            )
        if evicted_keys:
            self._left = [session for session in self._left if session.key not in evicted_keys]
