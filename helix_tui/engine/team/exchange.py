"""What follows a push: group what was marked, tell verdicts and hear those of others, pull."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from helix_tui.config import Config
from helix_tui.engine.team.grouping import Grouped, regroup_team
from helix_tui.engine.team.pulling import pull_list
from helix_tui.engine.team.verdicts import exchange_verdicts
from helix_tui.schema.team import Held
from helix_tui.team.membership import require_membership
from helix_tui.text.times import latest_believed

if TYPE_CHECKING:
    from helix_tui.team.database import TeamDatabase


class Exchanged(NamedTuple):
    """What came of it; `grouped` is None for who may not group, or where somebody else is at it."""

    grouped: Grouped | None
    held: list[Held]
    pulled: int


def exchange_with(config: Config, opened: TeamDatabase, *, is_hurried: bool = True) -> Exchanged:
    """Bring the team's list, its verdicts and this machine up to one another."""
    origin = require_membership(config.store).origin
    held = exchange_verdicts(config, opened, origin)
    grouped = None
    if opened.is_keeper:
        latest = latest_believed(int(time.time() * 1000))
        grouped = regroup_team(opened, config.detect, latest, is_hurried=is_hurried)
    return Exchanged(grouped, held, pull_list(config, opened))
