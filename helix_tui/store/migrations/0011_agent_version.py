"""The version of the agent that a session ran with, where its log records it."""

from __future__ import annotations

from typing import Any

STATEMENTS = (
    "ALTER TABLE session ADD COLUMN agent_version TEXT",
    "ALTER TABLE session ADD COLUMN agent_version_ts INTEGER",
)


def up(migrator: Any, db: Any) -> None:
    """Makes room; logs that are read from now on fill it."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("PRAGMA user_version = 11")
