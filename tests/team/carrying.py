"""What carries a member's rows to the team's store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from helix_tui.team.carrier import PostgresCarrier
from helix_tui.team.database import TeamDatabase
from tests.team.postgresql import Member


@contextmanager
def carrying(member: Member) -> Iterator[PostgresCarrier]:
    opened = TeamDatabase(member.address, member.password, 10, None)
    with PostgresCarrier(opened) as carrier:
        yield carrier
