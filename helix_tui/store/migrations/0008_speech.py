"""What people say in each repository, and of what its candidates are made."""

from __future__ import annotations

from typing import Any

STATEMENTS = (
    """
    CREATE TABLE speech (
        repo TEXT PRIMARY KEY,
        data BLOB NOT NULL
    ) WITHOUT ROWID
    """,
    # A hash of everything that the candidate of a bucket is made of.
    "CREATE TABLE saying (bucket INTEGER PRIMARY KEY, seal INTEGER NOT NULL)",
)


def up(migrator: Any, db: Any) -> None:
    """Makes room; the next grouping fills it."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("PRAGMA user_version = 8")
