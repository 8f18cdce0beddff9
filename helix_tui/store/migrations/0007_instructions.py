"""What logs record of the instructions that agents were given: each text once, by its hash."""

from __future__ import annotations

from typing import Any

STATEMENTS = (
    """
    CREATE TABLE instruction_text (
        hash INTEGER PRIMARY KEY,
        size INTEGER NOT NULL,
        data BLOB NOT NULL
    )
    """,
    # A hash of 0 is a log that says that there were none.
    """
    CREATE TABLE instructed (
        key INTEGER PRIMARY KEY,
        session INTEGER NOT NULL,
        hash INTEGER NOT NULL,
        source TEXT NOT NULL,
        ts INTEGER,
        cut INTEGER
    )
    """,
    "CREATE UNIQUE INDEX instructed_session ON instructed (session, hash)",
)


def up(migrator: Any, db: Any) -> None:
    """Makes room; logs that are read from now on fill it."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("PRAGMA user_version = 7")
