"""Report what the store holds, and what the agents will delete before it is captured."""

from __future__ import annotations

import time
from collections.abc import Mapping
from math import inf
from pathlib import Path

import msgspec

from helix_tui.capture.adapters import Adapter
from helix_tui.capture.discover import root_trouble
from helix_tui.config import Config
from helix_tui.engine.sweep.discovery import FlavorFound, find_changes, sources_of
from helix_tui.files.regular import read_regular
from helix_tui.schema import (
    RAW_STATES,
    Caps,
    DiskUsage,
    PartTask,
    Problem,
    RawState,
    SweepSummary,
)
from helix_tui.store.database import reading
from helix_tui.store.digests.folds import pending_sessions
from helix_tui.store.ingest.problems import count_problems, list_problems
from helix_tui.store.ingest.sweeps import last_sweep
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.space import usage_of
from helix_tui.store.read import sessions
from helix_tui.workers.plugins import PluginError, Plugins

_DAY = 86_400
_SOON = 3
_LATER = 7
_SETTINGS_LIMIT = 1 << 20
_LISTED_PROBLEMS = 100


class DeletionClock(msgspec.Struct, frozen=True):
    """When an agent deletes its logs, and how many of them are not captured by then."""

    cleanup_days: int
    vanish_within_3_days: int
    vanish_within_7_days: int


class FlavorStatus(msgspec.Struct, frozen=True):
    """The figures of one agent."""

    flavor: str
    sessions: int
    children: int
    units: int
    uncaptured: int
    clock: DeletionClock | None


class Status(msgspec.Struct, frozen=True):
    """The figures of store and sources; sizes in bytes."""

    store: Path
    is_created: bool
    flavors: list[FlavorStatus]
    database_bytes: int
    pack_bytes: int
    usage: DiskUsage
    caps: Caps
    raw_states: dict[RawState, int]
    unanalyzed: int
    problems: int
    listed_problems: list[Problem]
    last_sweep: SweepSummary | None


def status_of(config: Config, layout: StoreLayout, now: float | None = None) -> Status:
    """Read the store, if there is one, and stat the sources."""
    now = time.time() if now is None else now
    counts: dict[str, tuple[int, int]] = {}
    pack_bytes = problems = unanalyzed = 0
    usage = DiskUsage(0, 0)
    states: dict[RawState, int] = dict.fromkeys(RAW_STATES, 0)
    listed: list[Problem] = []
    last = None
    with reading(layout) as database, Plugins(config.plugin_seconds) as plugins:
        is_created = database is not None
        discovery = find_changes(config, database, plugins)
        if database is not None:
            counts = sessions.session_counts(database)
            pack_bytes = sessions.pack_bytes(database)
            usage = usage_of(database, layout)
            states = sessions.raw_states(database)
            unanalyzed = len(pending_sessions(database))
            problems = count_problems(database)
            listed = list_problems(database, _LISTED_PROBLEMS)
            last = last_sweep(database)
        flavors = [
            _flavor_status(config, flavor, plugins.adapters(), counts.get(name, (0, 0)), now)
            for name, flavor in discovery.flavors.items()
        ]
    database_bytes = sum(
        path.stat().st_size for path in layout.root.glob("store.db*") if path.is_file()
    )
    return Status(
        layout.root,
        is_created,
        flavors,
        database_bytes,
        pack_bytes,
        usage,
        config.retention,
        states,
        unanalyzed,
        problems,
        listed,
        last,
    )


def _flavor_status(
    config: Config,
    discovered: FlavorFound,
    adapters: Mapping[str, Adapter],
    counts: tuple[int, int],
    now: float,
) -> FlavorStatus:
    periods = {
        source.root: _cleanup_days(adapters[discovered.flavor], source.root)
        for source in sources_of(config, discovered.flavor)
        if root_trouble(source.root) is None
    }
    days_left = {
        task.unit: min(_days_left(part, periods, now) for part in task.parts)
        for task in discovered.tasks
    }
    clock = None
    cleanup_days = [days for days in periods.values() if days is not None]
    if cleanup_days:
        soon, later = (
            sum(days <= limit for days in days_left.values()) for limit in (_SOON, _LATER)
        )
        clock = DeletionClock(min(cleanup_days), soon, later)
    return FlavorStatus(
        discovered.flavor, *counts, discovered.unit_count, len(discovered.tasks), clock
    )


def _cleanup_days(adapter: Adapter, root: str) -> int | None:
    """Return after how many days the agent deletes a log; sweeps report a failing plug-in."""
    try:
        return adapter.cleanup_days(_settings(Path(root), adapter.settings_files()))
    except PluginError:
        return None


def _days_left(part: PartTask, periods: dict[str, int | None], now: float) -> float:
    """Return how long the agent will keep a file, by the settings of its root."""
    days = next((days for root, days in periods.items() if part.path.startswith(f"{root}/")), None)
    return inf if days is None else part.stamp.mtime_ns / 1e9 / _DAY + days - now / _DAY


def _settings(root: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    """Read the agent's own settings files, where they exist."""
    settings: dict[str, bytes] = {}
    for name in names:
        try:
            settings[name] = read_regular(root / name, _SETTINGS_LIMIT)
        except OSError:
            continue  # no settings of that name: the agent's defaults hold
    return settings
