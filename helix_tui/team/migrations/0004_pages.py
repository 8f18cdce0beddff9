"""Candidates and sessions in the order in which pages of them are asked for."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """One index in the place of that by number alone, one for reports."""
    db.connection().execute(
        "CREATE INDEX candidate_by_place ON helix.candidate (n, id, bucket); "
        "DROP INDEX helix.candidate_by_number; "
        "CREATE INDEX session_by_end ON helix.session (last_ts, key)"
    )
