"""Keep the team's list on this machine: what other groupings changed since the last look."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.engine.team.grouping import NEWEST, NUMBER
from helix_tui.engine.team.places import list_layout
from helix_tui.schema.team import span_of
from helix_tui.store.database import writing
from helix_tui.store.detection.candidates import pack_brief, unpack_brief
from helix_tui.store.detection.grouping_state import PARTS_NOTE
from helix_tui.store.detection.team_list import (
    PulledCandidate,
    TeamPopulation,
    pulled_number,
    write_candidates,
    write_whole,
)
from helix_tui.store.lock import writer_lock
from helix_tui.team.membership import require_membership

if TYPE_CHECKING:
    from helix_tui.team.database import TeamDatabase

# What one conversation alone has is on no list.
_SELECT = (
    "SELECT id, bucket, sessions, brief, CASE WHEN sessions >= 2 THEN data END, excerpts "
    "FROM helix.candidate WHERE n > %s"
)
_AT_ONCE = 500


def pull_list(config: Config, opened: TeamDatabase) -> int:
    """Take in the candidates that changed since this machine last looked; how many."""
    layout = list_layout(config)
    origin = require_membership(config.store).origin
    connection = opened.connection
    with writer_lock(layout), writing(layout) as database, connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        notes = dict(connection.execute("SELECT name, value FROM helix.note").fetchall())
        number = int(notes.get(NUMBER, 0))
        with database.atomic("IMMEDIATE"):
            local = database.connection()
            since = pulled_number(local)
            # The numbers of a team's store that was made anew begin anew.
            if since > number:
                local.execute("DELETE FROM candidate")
                since = 0
            people = _people(connection)
            changed = _changed(connection, since, people, origin) if number > since else iter(())
            count = write_candidates(local, changed)
            population = connection.execute(
                "SELECT flavor, repo, sessions FROM helix.population WHERE sessions > 0"
            ).fetchall()
            write_whole(
                local,
                number=number,
                regrouped=connection.execute("SELECT old, new FROM helix.regrouped").fetchall(),
                parts=notes.get(PARTS_NOTE),
                population=TeamPopulation(population, int(notes.get(NEWEST, 0))),
                people=people,
                own=origin,
                at_ms=time.time_ns() // 1_000_000,
            )
    return count


def _changed(
    connection: Any, since: int, people: Mapping[str, str], own: str
) -> Iterator[PulledCandidate]:
    with connection.cursor("pulled") as cursor:
        cursor.itersize = _AT_ONCE
        cursor.execute(_SELECT, (since,))
        for row in map(PulledCandidate._make, cursor):
            yield row._replace(brief=_spread(row.brief, people, own)) if row.brief else row


def _spread(packed: bytes, people: Mapping[str, str], own: str) -> bytes:
    """The figures of a candidate with whose they are, as it is seen from here."""
    brief = unpack_brief(packed)
    return pack_brief(replace(brief, team=span_of(brief.origins, people, own), origins={}))


def _people(connection: Any) -> dict[str, str]:
    rows = connection.execute(
        "SELECT o.origin, m.pseudonym FROM helix.origin o JOIN helix.member m ON m.role = o.owner"
    ).fetchall()
    return dict(rows)
