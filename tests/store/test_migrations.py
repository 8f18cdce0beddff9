"""A store of an earlier version is brought up to date, after a copy, and loses nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from helix_tui.schema import SessionFilter
from helix_tui.store.database import SCHEMA_VERSION
from tests.conftest import Workbench
from tests.engine.test_retention import write_log

# What later migrations added, taken away again.
TO_FIRST_VERSION = """
DROP TABLE search_index;
DROP TABLE search_text;
DROP TABLE search_pending;
DROP INDEX session_pending;
DROP TABLE fold;
DROP TABLE evicted;
ALTER TABLE session DROP COLUMN ended;
ALTER TABLE session DROP COLUMN outcome;
ALTER TABLE session DROP COLUMN outcome_confidence;
ALTER TABLE session DROP COLUMN outcome_reason;
ALTER TABLE session DROP COLUMN is_analyzed;
ALTER TABLE session DROP COLUMN is_exact;
ALTER TABLE session DROP COLUMN evicted_events;
ALTER TABLE part DROP COLUMN is_document;
ALTER TABLE sweep DROP COLUMN analyzed;
ALTER TABLE sweep DROP COLUMN evicted;
ALTER TABLE sweep DROP COLUMN raw_usage;
ALTER TABLE sweep DROP COLUMN distilled_usage;
DELETE FROM note;
DELETE FROM schema_migration WHERE name NOT LIKE '0001%';
PRAGMA user_version = 1;
"""


def downgrade(store: Path) -> None:
    connection = sqlite3.connect(store / "store.db")
    connection.executescript(TO_FIRST_VERSION)
    connection.close()


def test_sessions_of_the_first_version_are_analyzed_from_their_packs(bench: Workbench) -> None:
    for number in range(3):
        write_log(bench, number)
    bench.sweep()
    before = bench.sessions()
    digests = {name: bench.engine().digest(session) for name, session in before.items()}
    downgrade(bench.store)
    old = bench.helix("sessions", check=False)
    assert (old.code, "older version" in old.err) == (74, True)
    report = bench.sweep()
    assert (report.bytes_read, report.analyzed) == (0, 3)
    assert bench.sessions() == before
    assert {name: bench.engine().digest(s) for name, s in bench.sessions().items()} == digests
    assert bench.engine().search("task", SessionFilter(), 10).total == 3
    assert (bench.store / f"store.before-{SCHEMA_VERSION:04d}.db").exists()
    assert all(check.is_ok for check in bench.engine().doctor())
