"""What retention decides on, and its decisions."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec

PassName = Literal["age", "soft", "hard"]
PASSES: tuple[PassName, ...] = ("age", "soft", "hard")


class Caps(msgspec.Struct, frozen=True):
    """The budget: bytes on disk, and days after which raw goes anyway (0 is never)."""

    soft: int
    hard: int
    max_age_days: int
    distilled: int


class DiskUsage(msgspec.Struct, frozen=True):
    """The store's size on disk: raw is what eviction can free, distilled is the rest."""

    raw: int
    distilled: int


class Evictable(msgspec.Struct, frozen=True):
    """A session with raw bytes; `is_session` is false before a prompt, reply or tool call."""

    key: int
    id: str
    last_ts: int | None
    raw_bytes: int
    is_analyzed: bool
    is_pinned: bool
    is_session: bool = True
    title: str = ""


class Eviction(msgspec.Struct, frozen=True):
    """One session whose raw bytes go, and why."""

    key: int
    id: str
    raw_bytes: int
    in_pass: PassName
    reason: str
    is_data_loss: bool
    is_session: bool = True


class RetentionPlan(msgspec.Struct, frozen=True):
    """Every eviction that the caps call for."""

    caps: Caps
    usage: DiskUsage
    evictions: tuple[Eviction, ...] = ()

    @property
    def freed(self) -> int:
        """The raw bytes that are freed."""
        return sum(eviction.raw_bytes for eviction in self.evictions)

    @property
    def evicted(self) -> list[Eviction]:
        """The evictions that a person would call sessions."""
        return [eviction for eviction in self.evictions if eviction.is_session]

    @property
    def passes(self) -> dict[PassName, int]:
        """The number of sessions that each pass evicts."""
        counted = Counter(eviction.in_pass for eviction in self.evicted)
        return {name: counted[name] for name in PASSES}

    @property
    def data_loss(self) -> list[str]:
        """The sessions whose raw bytes go before a digest of them exists."""
        return [eviction.id for eviction in self.evicted if eviction.is_data_loss]


class RetentionReport(msgspec.Struct, frozen=True):
    """A plan and its result; `held` says why nothing of it was carried out."""

    plan: RetentionPlan
    after: DiskUsage
    held: str | None = None

    @property
    def is_distilled_alert(self) -> bool:
        """Whether the distilled part, which is never dropped, is over its cap."""
        return self.after.distilled > self.plan.caps.distilled
