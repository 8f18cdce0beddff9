"""Signals of sessions, the sessions as detection counts them, and the candidates that they form."""

from __future__ import annotations

from typing import Any

STATEMENTS = (
    "ALTER TABLE session ADD COLUMN profile BLOB",
    "CREATE INDEX session_parent ON session (parent) WHERE parent IS NOT NULL",
    """
    CREATE TABLE signal (
        bucket INTEGER NOT NULL,
        session INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (bucket, session)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX signal_session ON signal (session)",
    # Sessions as the last grouping counted them: what follows from other sessions, too.
    """
    CREATE TABLE counted (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        root TEXT NOT NULL,
        flavor TEXT NOT NULL,
        repo TEXT NOT NULL,
        branch TEXT NOT NULL,
        first_ts INTEGER NOT NULL,
        last_ts INTEGER NOT NULL,
        gate TEXT
    )
    """,
    "CREATE INDEX counted_place ON counted (repo, branch, last_ts, root)",
    "CREATE INDEX counted_first ON counted (first_ts)",
    # What changed since all was last grouped.
    "CREATE TABLE changed_bucket (bucket INTEGER PRIMARY KEY)",
    "CREATE TABLE changed_session (session INTEGER PRIMARY KEY)",
    # Two buckets may form candidates of one id, however rarely: the lesser bucket's is shown.
    """
    CREATE TABLE candidate (
        id TEXT NOT NULL,
        bucket INTEGER NOT NULL,
        sessions INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (id, bucket)
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
