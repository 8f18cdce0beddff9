"""Very many conversations of one problem, of which not all are read each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create it; `roles.py` grants it, and the next keeper groups everything once."""
    sql = Path(__file__).with_name("0005_large.sql").read_text(encoding="utf-8")
    db.connection().execute(sql)
