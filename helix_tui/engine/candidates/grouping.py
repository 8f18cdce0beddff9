"""The end of a sweep: what changed is grouped anew, and what it comes to is counted."""

from __future__ import annotations

import logging
import time

from helix_tui.config import Config
from helix_tui.digest.extractor import EXTRACTOR
from helix_tui.errors import StoreError
from helix_tui.events import CandidateCounts
from helix_tui.store.database import Database
from helix_tui.store.detection.grouping_state import (
    LABELS_NOTE,
    begin_signals,
    count_candidates,
    is_grouped,
)
from helix_tui.store.detection.team_list import is_team_list
from helix_tui.store.facts import note
from helix_tui.text.signature.version import GROUPING_VERSION
from helix_tui.text.triggers import TRIGGERS

log = logging.getLogger(__name__)
# At most a tenth of a sweep goes into what is grouped before its end.
_LEAST_SECONDS = 2.0
_TIMES_AS_LONG = 9


def signals_version() -> str:
    """In which way signals are made and named, and triggers beside them."""
    return f"{EXTRACTOR}:{GROUPING_VERSION}:{TRIGGERS}"


def await_signals(database: Database) -> None:
    """Prepares an empty store, whose first signals will be made as this version makes them."""
    begin_signals(database.connection(), signals_version())


def group_changes(config: Config, database: Database) -> CandidateCounts:
    """Groups what changed since the last time; where nothing did, that is all it finds out."""
    if not is_grouping_due(config, database):
        return CandidateCounts(total=count_listed(config, database))
    from helix_tui.engine.candidates.regroup import regroup

    return regroup(config, database)


def is_grouping_due(config: Config, database: Database) -> bool:
    """Whether something changed since everything was grouped."""
    connection = database.connection()
    if is_team_list(connection):
        return False  # it was grouped where all of it lies
    if not is_grouped(connection, signals_version(), config.detect.settings()):
        return True
    if config.detect.reader == "rules" and note(connection, LABELS_NOTE) is None:
        return False
    from helix_tui.engine.reader.apply import has_new_labels

    return has_new_labels(config, connection)


def count_listed(config: Config, database: Database) -> int:
    """How many candidates are above the floor."""
    settings = config.detect
    return count_candidates(database.connection(), settings.min_sessions, settings.least)


class EarlyGrouping:
    """Groups what is in so far, now and then, while the first sweep of a store goes on.

    Who watches it has something to review before its end; every later sweep groups at its end.
    """

    def __init__(self, config: Config, database: Database) -> None:
        self._config = config
        self._database = database
        self._is_wanted = not count_candidates(database.connection(), 0, 0)
        self._due = 0.0
        self.has_grouped = False

    def group(self) -> int | None:
        """How many candidates there are so far; None where it is too early to look again."""
        began = time.monotonic()
        if not self._is_wanted or began < self._due:
            return None
        try:
            total = group_changes(self._config, self._database).total
        except StoreError:  # the end of the sweep meets it again, and tells
            log.warning("nothing is grouped before the end of the sweep", exc_info=True)
            self._is_wanted = False
            return None
        self.has_grouped = True
        ended = time.monotonic()
        self._due = ended + max(_LEAST_SECONDS, _TIMES_AS_LONG * (ended - began))
        return total
