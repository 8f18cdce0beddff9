"""Search past the policies: `sql/functions.sql` has it, and is run behind every migration."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Nothing is left to do."""
