"""The way to the team that a data folder belongs to, and the secret that opens it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from helix_tui.config import Config
from helix_tui.errors import UsageError
from helix_tui.schema.team import Membership
from helix_tui.team.address import is_https
from helix_tui.team.asking import Asker, PostgresAsker
from helix_tui.team.carrier import Carrier, PostgresCarrier
from helix_tui.team.database import TeamDatabase, connected, require_version
from helix_tui.team.membership import require_membership
from helix_tui.team.secret import TeamSecret, find_secret


def secret_of(config: Config, membership: Membership) -> TeamSecret:
    """The secret of this member."""
    return find_secret(config.team, config.store, membership.role)


def carrier_to(config: Config, address: str, secret: TeamSecret) -> Carrier:
    """The way to a team's store; nothing is opened before it is entered."""
    settings = config.team
    if is_https(address):
        from helix_tui.team.carrier_https import HttpsCarrier

        return HttpsCarrier(address, secret.password, settings.timeout_seconds, settings.ca_file)
    return PostgresCarrier(
        TeamDatabase(address, secret.password, settings.timeout_seconds, settings.ca_file)
    )


@contextmanager
def asking(config: Config) -> Iterator[Asker]:
    """Whom to ask as this member: PostgreSQL, or the hub where that is the way."""
    membership = require_membership(config.store)
    if not is_https(membership.address):
        with team_database(config) as opened:
            yield PostgresAsker(opened)
        return
    from helix_tui.team.carrier_https import HttpsCarrier

    settings, secret = config.team, secret_of(config, membership)
    with HttpsCarrier(
        membership.address, secret.password, settings.timeout_seconds, settings.ca_file
    ) as carrier:
        yield carrier


@contextmanager
def team_database(config: Config) -> Iterator[TeamDatabase]:
    """The team's store in PostgreSQL, opened as this member."""
    membership = require_membership(config.store)
    if is_https(membership.address):
        raise UsageError(
            "This machine reaches its team through a hub, which does not do that.",
            "Do it on a machine that joined by postgresql://.",
        )
    secret = secret_of(config, membership)
    settings = config.team
    with connected(
        membership.address, secret.password, settings.timeout_seconds, settings.ca_file
    ) as opened:
        require_version(opened)
        yield opened
