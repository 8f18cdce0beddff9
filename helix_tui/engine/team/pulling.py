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
from helix_tui.team.asking import PAGE
from helix_tui.team.membership import require_membership

if TYPE_CHECKING:
    from helix_tui.team.asking import Asker


def pull_list(config: Config, asker: Asker) -> int:
    """Take in the candidates that changed since this machine last looked; how many.

    They come page by page in the order of the groupings that changed them. What another grouping
    changes meanwhile goes behind, so that the end of the pages has seen everything of the number
    that was noted before them; what is newer comes once more with the next pull.
    """
    layout = list_layout(config)
    origin = require_membership(config.store).origin
    with writer_lock(layout), writing(layout) as database:
        notes = dict(asker.ask("notes"))
        number = int(notes.get(NUMBER, 0))
        with database.atomic("IMMEDIATE"):
            local = database.connection()
            since = pulled_number(local)
            # The numbers of a team's store that was made anew begin anew.
            if since > number:
                local.execute("DELETE FROM candidate")
                since = 0
            people = dict(asker.ask("people"))
            changed = _changed(asker, since, people, origin) if number > since else iter(())
            count = write_candidates(local, changed)
            population = asker.ask("population")
            write_whole(
                local,
                number=number,
                regrouped=asker.ask("regrouped"),
                parts=notes.get(PARTS_NOTE),
                population=TeamPopulation(population, int(notes.get(NEWEST, 0))),
                people=people,
                own=origin,
                at_ms=time.time_ns() // 1_000_000,
            )
    return count


def _changed(
    asker: Asker, since: int, people: Mapping[str, str], own: str
) -> Iterator[PulledCandidate]:
    after: tuple[Any, ...] = (since + 1, "", -1 << 63)
    while rows := asker.ask("candidates", *after, PAGE):
        after = rows[-1][:3]
        for _, *columns in rows:
            row = PulledCandidate._make(columns)
            yield row._replace(brief=_spread(row.brief, people, own)) if row.brief else row


def _spread(packed: bytes, people: Mapping[str, str], own: str) -> bytes:
    """The figures of a candidate with whose they are, as it is seen from here."""
    brief = unpack_brief(packed)
    return pack_brief(replace(brief, team=span_of(brief.origins, people, own), origins={}))
