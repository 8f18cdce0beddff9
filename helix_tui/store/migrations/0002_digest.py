"""Folds, verdicts, and what is known of evicted events."""

from __future__ import annotations

from typing import Any

STATEMENTS = (
    "ALTER TABLE session ADD COLUMN ended TEXT",
    "ALTER TABLE session ADD COLUMN outcome TEXT NOT NULL DEFAULT 'unknown'",
    "ALTER TABLE session ADD COLUMN outcome_confidence REAL",
    "ALTER TABLE session ADD COLUMN outcome_reason TEXT",
    "ALTER TABLE session ADD COLUMN is_analyzed INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE session ADD COLUMN is_exact INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE session ADD COLUMN evicted_events INTEGER NOT NULL DEFAULT 0",
    # A sweep looks for these alone, however many sessions there are.
    "CREATE INDEX session_pending ON session (key) WHERE is_analyzed = 0",
    "ALTER TABLE part ADD COLUMN is_document INTEGER NOT NULL DEFAULT 0",
    """
    CREATE TABLE fold (
        key INTEGER PRIMARY KEY,
        session INTEGER NOT NULL,
        part INTEGER NOT NULL,
        data BLOB NOT NULL,
        UNIQUE (part, session)
    )
    """,
    "CREATE INDEX fold_session ON fold (session)",
    """
    CREATE TABLE evicted (
        session INTEGER PRIMARY KEY,
        fingerprints BLOB NOT NULL,
        parts TEXT NOT NULL
    )
    """,
    "ALTER TABLE sweep ADD COLUMN analyzed INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sweep ADD COLUMN evicted INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sweep ADD COLUMN raw_usage INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sweep ADD COLUMN distilled_usage INTEGER NOT NULL DEFAULT 0",
)


def up(migrator: Any, db: Any) -> None:
    """Adds what digests and retention need; sessions of before are analyzed by the next sweep."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("PRAGMA user_version = 2")
