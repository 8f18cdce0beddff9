"""Carry a plan out, a few sessions to a transaction, the oldest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from helix_tui.schema import Eviction, RetentionPlan
from helix_tui.store.database import Database
from helix_tui.store.durability import give_back_space
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.eviction import evict

# What one transaction may free: its journal must fit on a nearly full disk.
_BYTES_AT_ONCE = 16 << 20
_SESSIONS_AT_ONCE = 200


def apply(
    plan: RetentionPlan,
    database: Database,
    layout: StoreLayout,
    cancelled: Callable[[], bool],
) -> Iterator[Eviction]:
    """Evict what the plan names; yield each eviction once its bytes are gone."""
    for group in _groups(plan.evictions):
        if cancelled():
            return
        evict(database, layout, [eviction.key for eviction in group])
        yield from group
    if plan.evictions:
        give_back_space(database)


def _groups(evictions: tuple[Eviction, ...]) -> Iterator[list[Eviction]]:
    group: list[Eviction] = []
    size = 0
    for eviction in evictions:
        if group and (
            size + eviction.raw_bytes > _BYTES_AT_ONCE or len(group) >= _SESSIONS_AT_ONCE
        ):
            yield group
            group, size = [], 0
        group.append(eviction)
        size += eviction.raw_bytes
    if group:
        yield group
