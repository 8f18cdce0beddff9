"""All that the team's store has of oneself, as it is there."""

from __future__ import annotations

from collections.abc import Iterator

from helix_tui.config import Config
from helix_tui.engine.team.ways import team_database
from helix_tui.team.records import own_rows


def export(config: Config) -> Iterator[dict[str, object]]:
    """Every row of one's own, each with the table that it is in."""
    with team_database(config) as opened:
        yield from own_rows(opened)
