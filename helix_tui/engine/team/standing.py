"""How this data folder stands with its team: what the team has, what waits, what is held."""

from __future__ import annotations

from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.engine.team.pushing import held_rows, outbox_path, pending
from helix_tui.engine.team.ways import carrier_to, secret_of
from helix_tui.errors import HelixError
from helix_tui.schema.team import Held, Membership
from helix_tui.team.membership import read_membership
from helix_tui.team.outbox import Outbox
from helix_tui.text.times import iso


class Standing(NamedTuple):
    """The state of the outbox, and whether the team answers just now."""

    membership: Membership | None
    share: str
    repos: list[str]
    sent: int = 0
    pending: int = 0
    held: tuple[Held, ...] = ()
    forgotten: int = 0
    tombstones_waiting: int = 0
    failures: int = 0
    error: str = ""
    next_at: str | None = None
    reached_at: str | None = None
    is_reachable: bool | None = None
    problem: str = ""


def standing(config: Config, *, is_asked: bool = True) -> Standing:
    """How things stand; the team is asked whether it answers, unless that is not wanted."""
    settings = config.team
    membership = read_membership(config.store)
    begun = Standing(membership, settings.share, list(settings.repos))
    if membership is None:
        return begun
    if outbox_path(config.store).exists():
        outbox = Outbox(outbox_path(config.store))
        try:
            begun = _recorded(config, begun, outbox)
        finally:
            outbox.close()
    if not is_asked:
        return begun
    try:
        with carrier_to(config, membership.address, secret_of(config, membership)) as carrier:
            carrier.last_revision(membership.origin)
    except HelixError as error:
        return begun._replace(is_reachable=False, problem=str(error))
    return begun._replace(is_reachable=True)


def _recorded(config: Config, begun: Standing, outbox: Outbox) -> Standing:
    rows = outbox.all().values()
    return begun._replace(
        sent=sum(row.state == "sent" for row in rows),
        forgotten=sum(row.state == "forgotten" for row in rows),
        pending=pending(config, outbox),
        held=tuple(held_rows(outbox)),
        tombstones_waiting=len(outbox.tombstones(is_sent=False)),
        failures=int(outbox.fact("failures") or 0),
        error=outbox.fact("error"),
        next_at=iso(int(outbox.fact("next_ms") or 0)) if outbox.fact("next_ms") else None,
        reached_at=iso(int(outbox.fact("reached_ms") or 0)) if outbox.fact("reached_ms") else None,
    )
