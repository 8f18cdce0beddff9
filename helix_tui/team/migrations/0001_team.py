"""Tables, partitions, triggers and policies of a team's store."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create everything; who may use it is granted by `roles.py`, which may run again."""
    connection = db.connection()
    connection.execute(_sql("0001_tables.sql"))
    # They may ask for columns that later migrations add.
    connection.execute("SET LOCAL check_function_bodies = off")
    connection.execute(_sql("../sql/functions.sql"))
    connection.execute(_sql("0001_policies.sql"))


def _sql(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
