"""Make a team's store, invite its members, and end what one of them may do."""

from __future__ import annotations

import os
from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.errors import UsageError
from helix_tui.schema.team import MemberKind
from helix_tui.team.address import checked_address, is_https
from helix_tui.team.database import (
    LEAST_POSTGRESQL,
    TEAM_SCHEMA_VERSION,
    TeamDatabase,
    connected,
)
from helix_tui.team.records import MonthRows, drop_months, months, months_before
from helix_tui.team.roles import (
    check_name,
    grant,
    groups_of,
    invite,
    let_through,
    make_hub,
    make_schema,
    revoke,
)
from helix_tui.team.secret import joined_secret, key_file, own_key

# The administrator's password: theirs alone, and used for nothing but making and inviting.
ADMIN_PASSWORD = "PGPASSWORD"
_HUNDREDS = 10_000


class MadeTeam(NamedTuple):
    """What `helix team init` made or found as it must be."""

    team: str
    migrations: list[str]
    schema: int
    roles: list[str]
    key_file: str
    is_encrypted: bool


class Invited(NamedTuple):
    """A new member, and the secret that is told this once."""

    role: str
    secret: str
    kind: MemberKind
    is_keeper: bool


def make_team(config: Config, address: str, team: str) -> MadeTeam:
    """Create the store or bring it up to date; the same however often it is called."""
    place = _administered(address)
    check_name(team, "team's name")
    with connected(place, _password(), config.team.timeout_seconds, config.team.ca_file) as opened:
        version = int(opened.value("SHOW server_version_num"))
        if version < LEAST_POSTGRESQL * _HUNDREDS:
            raise UsageError(
                f"This is PostgreSQL {version // _HUNDREDS}; a team needs {LEAST_POSTGRESQL}.",
                "Name a newer server.",
            )
        _refuse_other_team(opened, team)
        with opened.atomic():
            ran = make_schema(opened, team)
            grant(opened, team)
        is_encrypted = bool(
            opened.value("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        )
    own_key(config.store)
    return MadeTeam(
        team,
        ran,
        TEAM_SCHEMA_VERSION,
        list(groups_of(team).values()),
        str(key_file(config.store)),
        is_encrypted,
    )


def invite_member(
    config: Config, address: str, pseudonym: str, kind: MemberKind, *, is_keeper: bool
) -> Invited:
    """Make a role for a person or a CI project."""
    key = own_key(config.store)
    place = _administered(address)
    with connected(place, _password(), config.team.timeout_seconds, config.team.ca_file) as opened:
        role, password = invite(opened, pseudonym, kind, is_keeper=is_keeper)
    return Invited(role, joined_secret(password, key), kind, is_keeper)


def invite_hub(config: Config, address: str, name: str) -> str:
    """Make the role that a hub signs in as; return its password."""
    place = _administered(address)
    with connected(place, _password(), config.team.timeout_seconds, config.team.ca_file) as opened:
        return make_hub(opened, name)


def reach_through(config: Config, address: str, hub: str, member: str) -> None:
    """Let a hub push as a member."""
    place = _administered(address)
    with connected(place, _password(), config.team.timeout_seconds, config.team.ca_file) as opened:
        let_through(opened, hub, member)


def revoke_member(config: Config, address: str, name: str) -> None:
    """End what a member may do."""
    place = _administered(address)
    with connected(place, _password(), config.team.timeout_seconds, config.team.ca_file) as opened:
        revoke(opened, check_name(name))


class Retained(NamedTuple):
    """Every month, those that go or went, and how many sessions that is."""

    months: list[MonthRows]
    dropped: list[int]
    sessions: int
    is_done: bool


def retain_months(config: Config, address: str, before: str, *, is_certain: bool) -> Retained:
    """Drop the months before one, or say which would go."""
    place = _administered(address)
    with connected(place, _password(), config.team.timeout_seconds, config.team.ca_file) as opened:
        found = months(opened)
        going = months_before(found, _month(before)) if before else []
        sessions = sum(row.sessions for row in going)
        if is_certain and going:
            sessions = drop_months(opened, going)
    return Retained(found, [row.month for row in going], sessions, is_certain and bool(going))


def _month(text: str) -> int:
    year, _, month = text.partition("-")
    if not (year.isdigit() and month.isdigit()):
        raise UsageError(f"{text!r} is no month.", "Such as 2026-03.")
    return int(year) * 100 + int(month)


def _administered(address: str) -> str:
    place = checked_address(address)
    if is_https(place):
        raise UsageError(
            "A team's store is made in PostgreSQL itself.", "Give postgresql://admin@host/name"
        )
    return place


def _password() -> str:
    return os.environ.get(ADMIN_PASSWORD, "")


def _refuse_other_team(opened: TeamDatabase, team: str) -> None:
    if opened.value("SELECT to_regclass('helix.fact')") is None:
        return
    there = opened.fact("team")
    if there not in (None, team):
        raise UsageError(
            f"The team in this database is called {there}.",
            f"Say --team-name {there}, or make another.",
        )
