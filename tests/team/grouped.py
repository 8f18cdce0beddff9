"""Stores that took in logs, a team's grouping of them, and the list as one machine has it."""

from __future__ import annotations

import time
from pathlib import Path

from helix_tui.config import load
from helix_tui.engine.facade import Engine
from helix_tui.engine.team.engine import TeamEngine
from helix_tui.engine.team.grouping import regroup_team
from helix_tui.engine.team.pulling import pull_list
from helix_tui.schema.quality import DetectSettings
from helix_tui.schema.team import Membership
from helix_tui.team.asking import PostgresAsker
from helix_tui.team.database import TeamDatabase
from helix_tui.team.membership import write_membership


def engine_of(home: Path, store: Path) -> Engine:
    """Return the engine over a home and a store."""
    return Engine(load(None, store, {"HOME": str(home)}))


def swept(home: Path, store: Path) -> Engine:
    """Return the engine over a store that took in a home's logs."""
    engine = engine_of(home, store)
    for _ in engine.sweep():
        pass
    return engine


def pulled(opened: TeamDatabase, store: Path, origin: str, role: str) -> TeamEngine:
    """A machine of the team with the list as it is now."""
    write_membership(
        store, Membership(address="", origin=origin, role=role, joined_at="2026-01-01T00:00:00Z")
    )
    config = load(None, store, {})
    pull_list(config, PostgresAsker(opened))
    return TeamEngine(config)


def grouped(opened: TeamDatabase, settings: DetectSettings) -> None:
    """Group what a team's machines have pushed."""
    regroup_team(opened, settings, int(time.time() * 1000), is_hurried=False)
