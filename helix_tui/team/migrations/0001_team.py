"""Tables, partitions, triggers and policies of a team's store."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create everything; who may use it is granted by `roles.py`, which may run again."""
    for name in ("tables", "functions", "policies"):
        sql = Path(__file__).with_name(f"0001_{name}.sql").read_text(encoding="utf-8")
        db.connection().execute(sql)
