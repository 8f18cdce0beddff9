"""What follows a push: group what was marked, tell verdicts and hear those of others, pull."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, NamedTuple

from helix_tui.config import Config
from helix_tui.engine.team.grouping import Grouped, regroup_team, waiting_since
from helix_tui.engine.team.pulling import pull_list
from helix_tui.engine.team.verdicts import exchange_verdicts
from helix_tui.errors import HelixError
from helix_tui.schema.team import Held
from helix_tui.team.address import is_https
from helix_tui.team.membership import read_membership, require_membership
from helix_tui.text.times import latest_believed

if TYPE_CHECKING:
    from helix_tui.team.database import TeamDatabase

log = logging.getLogger(__name__)
# What is big waits so long at most, wherever a keeper pushes.
_PATIENCE_MS = 3_600_000


class Exchanged(NamedTuple):
    """What came of it; `grouped` is None for who may not group, or where somebody else is at it."""

    grouped: Grouped | None
    held: list[Held]
    pulled: int


def exchange(config: Config, *, is_hurried: bool = True) -> list[str]:
    """Bring the team's list, its verdicts and this machine up to one another; return messages."""
    membership = require_membership(config.store)
    if is_https(membership.address):
        return []  # a hub takes rows in; the list is read in PostgreSQL
    done = exchange_now(config, is_hurried=is_hurried)
    return [f"Held back from the team: {one.what}: {one.why}." for one in done.held]


def exchange_behind(config: Config) -> list[str]:
    """The same behind a push, of which nothing is to fail; a place without membership has none."""
    if read_membership(config.store) is None:
        return []
    try:
        return exchange(config)
    except HelixError as error:
        log.warning("the team's list was not brought up to date: %s", error)
        return [f"The team's list was not brought up to date: {error}"]


def exchange_now(config: Config, *, is_hurried: bool = True) -> Exchanged:
    """The same, saying what came of it."""
    from helix_tui.engine.team.ways import team_database

    with team_database(config) as opened:
        return exchange_with(config, opened, is_hurried=is_hurried)


def exchange_with(config: Config, opened: TeamDatabase, *, is_hurried: bool = True) -> Exchanged:
    """The same over an open connection; who only pushes has no list."""
    if not opened.value("SELECT helix.reads_all()"):
        return Exchanged(None, [], 0)
    origin = require_membership(config.store).origin
    held = exchange_verdicts(config, opened, origin)
    now_ms = time.time_ns() // 1_000_000
    latest = latest_believed(now_ms)
    grouped = None
    if opened.is_keeper:
        # Whoever asks for everything has it grouped by their own settings.
        grouped = regroup_team(
            opened, config.detect, latest, is_hurried=is_hurried, is_own=not is_hurried
        )
    pulled = pull_list(config, opened)
    if grouped and grouped.waiting and now_ms - waiting_since(opened, now_ms) > _PATIENCE_MS:
        grouped = regroup_team(opened, config.detect, latest, is_hurried=False)
        pulled += pull_list(config, opened)
    return Exchanged(grouped, held, pulled)
