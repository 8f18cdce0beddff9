"""Search past the policies, for those who may read all: they keep the words from an index."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create the function; `roles.py` grants it to people."""
    db.connection().execute(Path(__file__).with_name("0003_find.sql").read_text(encoding="utf-8"))
