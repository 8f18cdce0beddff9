"""What one list over all machines needs besides."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create it; `roles.py` grants it."""
    sql = Path(__file__).with_name("0002_list.sql").read_text(encoding="utf-8")
    db.connection().execute(sql)
