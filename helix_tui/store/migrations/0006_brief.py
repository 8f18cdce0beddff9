"""What a list needs of each candidate, and the sessions among which all are ranked."""

from __future__ import annotations

from typing import Any

STATEMENTS = (
    # The brief stands before the bulk: who reads only that passes over the rest of the row.
    """
    CREATE TABLE candidate_with_brief (
        id TEXT NOT NULL,
        bucket INTEGER NOT NULL,
        sessions INTEGER NOT NULL,
        brief BLOB,
        data BLOB NOT NULL,
        PRIMARY KEY (id, bucket)
    )
    """,
    "INSERT INTO candidate_with_brief SELECT id, bucket, sessions, NULL, data FROM candidate",
    "DROP TABLE candidate",
    "ALTER TABLE candidate_with_brief RENAME TO candidate",
    "CREATE INDEX candidate_bucket ON candidate (bucket)",
    "CREATE INDEX candidate_listed ON candidate (sessions)",
    "CREATE INDEX counted_eligible ON counted (flavor, repo) WHERE gate IS NULL AND id = root",
    "CREATE INDEX counted_last ON counted (last_ts) WHERE gate IS NULL",
    # What is stored has no brief: all is grouped again, which makes them.
    "DELETE FROM note WHERE name = 'grouped'",
)


def up(migrator: Any, db: Any) -> None:
    """Makes room; the next sweep, or the next look at the candidates, fills it."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("PRAGMA user_version = 6")
