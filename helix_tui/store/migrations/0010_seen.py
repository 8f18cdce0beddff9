"""Which errors were seen before, found by what a message says."""

from __future__ import annotations

from typing import Any

STATEMENTS = (
    """
    CREATE TABLE seen (
        key INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        template TEXT NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (key, bucket, template)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX seen_bucket ON seen (bucket)",
    # All is grouped again, which fills it.
    "DELETE FROM note WHERE name = 'grouped'",
)


def up(migrator: Any, db: Any) -> None:
    """Makes room; the next grouping fills it."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("PRAGMA user_version = 10")
