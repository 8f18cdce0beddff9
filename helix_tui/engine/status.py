"""What the store holds, and what the agents will delete before it is captured."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import inf
from pathlib import Path

from helix_tui.capture.adapters import Adapter, adapters
from helix_tui.capture.discover import FoundPart, discover
from helix_tui.config import Config
from helix_tui.engine.discovery import sources_of
from helix_tui.schema import Problem, SweepSummary
from helix_tui.store import queries
from helix_tui.store.database import open_for_reading
from helix_tui.store.layout import StoreLayout

_DAY = 86_400
_SOON = 3
_LATER = 7
_SETTINGS_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True)
class DeletionClock:
    """When an agent deletes its logs, and how many of them are not captured by then."""

    cleanup_days: int
    vanish_within_3_days: int
    vanish_within_7_days: int


@dataclass(frozen=True, slots=True)
class FlavorStatus:
    """One agent's share."""

    flavor: str
    sessions: int
    children: int
    units: int
    uncaptured: int
    clock: DeletionClock | None


@dataclass(frozen=True, slots=True)
class Status:
    """The whole at a glance; sizes in bytes."""

    store: Path
    is_created: bool
    flavors: list[FlavorStatus]
    database_bytes: int
    pack_bytes: int
    problems: int
    last_sweep: SweepSummary | None


def status_of(config: Config, layout: StoreLayout, now: float | None = None) -> Status:
    """Reads the store, if there is one, and stats the sources."""
    now = time.time() if now is None else now
    is_created = layout.database.exists()
    counts: dict[str, tuple[int, int]] = {}
    stamps: dict[str, queries.Stamps] = {}
    pack_bytes = problems = 0
    last = None
    if is_created:
        database = open_for_reading(layout)
        try:
            counts = queries.session_counts(database)
            stamps = {flavor: queries.part_stamps(database, flavor) for flavor in adapters()}
            pack_bytes = queries.pack_bytes(database)
            problems = queries.count_problems(database)
            last = queries.last_sweep(database)
        finally:
            database.close()
    flavors = [
        _flavor_status(config, adapter, counts.get(flavor, (0, 0)), stamps.get(flavor, {}), now)
        for flavor, adapter in adapters().items()
    ]
    database_bytes = sum(
        path.stat().st_size for path in layout.root.glob("store.db*") if path.is_file()
    )
    return Status(layout.root, is_created, flavors, database_bytes, pack_bytes, problems, last)


def _flavor_status(
    config: Config,
    adapter: Adapter,
    counts: tuple[int, int],
    stamps: queries.Stamps,
    now: float,
) -> FlavorStatus:
    units: set[str] = set()
    days_left: dict[str, float] = {}
    shortest: int | None = None
    unlisted: list[Problem] = []  # the sweep reports these; here they only cannot be counted
    for source in sources_of(config, adapter.flavor):
        days = adapter.cleanup_days(_settings(Path(source.root), adapter.settings_files()))
        if days is not None:
            shortest = days if shortest is None else min(shortest, days)
        for part in discover(source, adapter, unlisted):
            units.add(part.unit)
            if stamps.get((part.unit, part.part)) != part.stamp:
                left = inf if days is None else _days_left(part, days, now)
                days_left[part.unit] = min(left, days_left.get(part.unit, inf))
    clock = None
    if shortest is not None:
        soon, later = (sum(left <= days for left in days_left.values()) for days in (_SOON, _LATER))
        clock = DeletionClock(shortest, soon, later)
    return FlavorStatus(adapter.flavor, *counts, len(units), len(days_left), clock)


def _days_left(part: FoundPart, cleanup_days: int, now: float) -> float:
    return part.stamp[3] / 1e9 / _DAY + cleanup_days - now / _DAY


def _settings(root: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    """The agent's own settings files, where they exist."""
    found: dict[str, bytes] = {}
    for name in names:
        try:
            with (root / name).open("rb") as file:
                found[name] = file.read(_SETTINGS_LIMIT)
        except OSError:
            continue  # no settings of that name: the agent's defaults hold
    return found
