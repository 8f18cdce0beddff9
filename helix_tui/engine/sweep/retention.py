"""Keep the store within its budget: plan by the caps in force, and carry the plan out."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator

import msgspec

from helix_tui.config import Config
from helix_tui.events import SessionEvicted
from helix_tui.schema import DiskUsage, Eviction, RetentionPlan, RetentionReport
from helix_tui.store.database import Database
from helix_tui.store.durability import checkpoint
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.space import keep_reserve, usage_of
from helix_tui.store.user_lists import pinned_sessions


def plan_retention(
    config: Config, database: Database, layout: StoreLayout, now_ms: int | None = None
) -> RetentionPlan:
    """Plan what the caps call for now; read no session while usage is below them."""
    caps = config.retention
    usage = usage_of(database, layout)
    if usage.raw <= caps.soft and not caps.max_age_days:
        return RetentionPlan(caps, usage)
    from helix_tui.retain.plan import plan
    from helix_tui.store.packs.eviction import evictables

    now_ms = int(time.time() * 1000) if now_ms is None else now_ms
    return plan(evictables(database, pinned_sessions(layout)), usage, caps, now_ms)


def retain(
    config: Config,
    database: Database,
    layout: StoreLayout,
    cancelled: Callable[[], bool],
    held: str | None = None,
) -> Generator[SessionEvicted, None, RetentionReport]:
    """Evict what the plan names, unless `held` is a reason not to."""
    keep_reserve(layout)
    checkpoint(database)
    planned = plan_retention(config, database, layout)
    if held is not None or not planned.evictions:
        return RetentionReport(planned, planned.usage, held)
    from helix_tui.retain.apply import apply

    evicted: list[Eviction] = []
    for eviction in apply(planned, database, layout, cancelled):
        evicted.append(eviction)
        yield SessionEvicted(eviction)
    carried_out = msgspec.structs.replace(planned, evictions=tuple(evicted))
    return RetentionReport(carried_out, usage_of(database, layout))


def preview(planned: RetentionPlan, held: str | None = None) -> RetentionReport:
    """Report what carrying the plan out would do."""
    usage = planned.usage
    if held is not None:
        return RetentionReport(planned, usage, held)
    return RetentionReport(planned, DiskUsage(usage.raw - planned.freed, usage.distilled))
