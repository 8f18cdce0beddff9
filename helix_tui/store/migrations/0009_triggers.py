"""What sessions did that makes candidates possible."""

from __future__ import annotations

from typing import Any

STATEMENT = "CREATE TABLE triggered (session INTEGER PRIMARY KEY, names TEXT NOT NULL)"


def up(migrator: Any, db: Any) -> None:
    """Makes room; the next grouping fills it from the digests."""
    db.execute_sql(STATEMENT)
    db.execute_sql("PRAGMA user_version = 9")
