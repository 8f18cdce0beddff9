"""Groups the signals of one store's buckets that changed, all in one transaction."""

from __future__ import annotations

import sqlite3

from helix_tui.config import Config
from helix_tui.detect.keys import SAID
from helix_tui.detect.regrouping import count_changed, regroup_buckets
from helix_tui.detect.speech_changes import SpeechChanges
from helix_tui.engine.candidates.grouping import count_listed, signals_version
from helix_tui.engine.reader.apply import apply_labels
from helix_tui.engine.sweep.analysis import digest_of_stored, judged_of
from helix_tui.events import CandidateCounts
from helix_tui.store.database import Database
from helix_tui.store.detection import signals
from helix_tui.store.detection.grouping_state import grouped_with, note_grouped
from helix_tui.store.detection.rows import StoreRows


def regroup(config: Config, database: Database) -> CandidateCounts:
    """Brings candidates up to what is stored, all in one transaction."""
    connection: sqlite3.Connection = database.connection()
    rows = StoreRows(connection)
    settings = config.detect.settings()
    with database.atomic("IMMEDIATE"):
        is_all = _make_signals(connection) or grouped_with(connection) != settings
        apply_labels(config, connection)
        touched = count_changed(rows, config.detect.quality, is_all=is_all)
        if is_all:
            rows.mark_all_buckets()
        buckets = rows.changed_buckets()
        speech = SpeechChanges(rows, touched) if SAID in buckets else None
        news = regroup_buckets(rows, buckets, speech, config.detect)
        note_grouped(connection, settings)
    return CandidateCounts(news.new, news.changed, count_listed(config, database))


def _make_signals(connection: sqlite3.Connection) -> bool:
    """Makes the signals of all sessions where that was never done, or otherwise; says if so."""
    version = signals_version()
    if signals.are_signals_made(connection, version):
        return False
    for key, _, folds in signals.folds_by_session(connection):
        signals.write_signals(connection, key, judged_of(digest_of_stored(folds)))
    signals.note_signals(connection, version)
    return True
