"""The end of a sweep: what changed is grouped anew, and what it comes to is counted."""

from __future__ import annotations

from helix_tui.config import Config
from helix_tui.digest.extractor import EXTRACTOR
from helix_tui.events import CandidateCounts
from helix_tui.store.database import Database
from helix_tui.store.grouped import begin_signals, count_candidates, is_grouped
from helix_tui.text.grouping import GROUPING_VERSION


def signals_version() -> str:
    """In which way signals are made and named."""
    return f"{EXTRACTOR}:{GROUPING_VERSION}"


def await_signals(database: Database) -> None:
    """Prepares an empty store, whose first signals will be made as this version makes them."""
    begin_signals(database.connection(), signals_version())


def group_changes(config: Config, database: Database) -> CandidateCounts:
    """Groups what changed since the last time; where nothing did, that is all it finds out."""
    connection = database.connection()
    if is_grouped(connection, signals_version(), config.detect.settings()):
        return CandidateCounts(total=count_candidates(connection, config.detect.min_sessions))
    from helix_tui.engine.regroup import regroup

    return regroup(config, database)


def is_grouping_due(config: Config, database: Database) -> bool:
    """Whether something changed since everything was grouped."""
    return not is_grouped(database.connection(), signals_version(), config.detect.settings())


def count_listed(config: Config, database: Database) -> int:
    """How many candidates are above the floor."""
    return count_candidates(database.connection(), config.detect.min_sessions)
