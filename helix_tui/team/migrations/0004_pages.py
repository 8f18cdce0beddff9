"""Candidates in the order in which pages of them are pulled."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """An index in the place of the one by number alone."""
    db.connection().execute(
        "CREATE INDEX candidate_by_place ON helix.candidate (n, id, bucket); "
        "DROP INDEX helix.candidate_by_number"
    )
