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
from helix_tui.team.membership import read_membership, require_membership
from helix_tui.text.times import latest_believed

if TYPE_CHECKING:
    from helix_tui.team.asking import Asker

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
    from helix_tui.engine.team.ways import asking

    with asking(config) as asker:
        return exchange_with(config, asker, is_hurried=is_hurried)


def exchange_with(config: Config, asker: Asker, *, is_hurried: bool = True) -> Exchanged:
    """The same over an open connection; who only pushes has no list.

    Who reaches PostgreSQL and is a keeper groups; a hub only answers.
    """
    from helix_tui.team.asking import PostgresAsker

    if not asker.ask("reads_all")[0][0]:
        return Exchanged(None, [], 0)
    held = exchange_verdicts(config, asker, require_membership(config.store).origin)
    if not isinstance(asker, PostgresAsker) or not asker.opened.is_keeper:
        return Exchanged(None, held, pull_list(config, asker))
    opened, now_ms = asker.opened, time.time_ns() // 1_000_000
    latest = latest_believed(now_ms)
    # Whoever asks for everything has it grouped by their own settings.
    grouped = regroup_team(
        opened, config.detect, latest, is_hurried=is_hurried, is_own=not is_hurried
    )
    pulled = pull_list(config, asker)
    if grouped and grouped.waiting and now_ms - waiting_since(opened, now_ms) > _PATIENCE_MS:
        grouped = regroup_team(opened, config.detect, latest, is_hurried=False)
        pulled += pull_list(config, asker)
    return Exchanged(grouped, held, pulled)
