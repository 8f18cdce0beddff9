"""Signals of sessions, what the quality gate asks of them, and the candidates that they form."""

from __future__ import annotations

from typing import Any

STATEMENTS = (
    "ALTER TABLE session ADD COLUMN gate TEXT",
    "ALTER TABLE session ADD COLUMN profile BLOB",
    """
    CREATE TABLE signal (
        bucket INTEGER NOT NULL,
        session INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (bucket, session)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX signal_session ON signal (session)",
    # Buckets that changed since they were last grouped; 0 stands for the sessions themselves.
    "CREATE TABLE changed_bucket (bucket INTEGER PRIMARY KEY)",
    """
    CREATE TABLE candidate (
        id TEXT PRIMARY KEY,
        bucket INTEGER NOT NULL,
        sessions INTEGER NOT NULL,
        data BLOB NOT NULL
    )
    """,
    "CREATE INDEX candidate_bucket ON candidate (bucket)",
    "CREATE INDEX candidate_listed ON candidate (sessions)",
    "CREATE TABLE regrouped (old TEXT PRIMARY KEY, new TEXT NOT NULL) WITHOUT ROWID",
)


def up(migrator: Any, db: Any) -> None:
    """Adds what detection needs; the next sweep fills it from the digests."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("PRAGMA user_version = 5")
