"""What one session was told: the records of its log, and the lines that it did or did not see."""

from __future__ import annotations

from typing import NamedTuple

from helix_tui.context.files import Disk
from helix_tui.context.matching.index import BADGE
from helix_tui.engine.context.exposure import Exposures, hashes_of, said_of
from helix_tui.engine.context.told_book import kept_book
from helix_tui.schema.context import Exposure, RecordedText, ToldLine
from helix_tui.store.database import Database
from helix_tui.store.detection.candidates import candidates_by_id
from helix_tui.store.packs.transcript import session_key
from helix_tui.store.read.places import place_of, recorded_texts, texts_by_hash


class SeenLine(NamedTuple):
    """A line about something that happened in a session, and whether the session saw it."""

    candidate: str
    line: ToldLine
    exposure: Exposure


class SessionExposure(NamedTuple):
    """The records of instructions in a session's log, and lines that it could have seen."""

    records: list[RecordedText]
    lines: list[SeenLine]

    @property
    def proofs(self) -> list[str]:
        """The records in words."""
        return [said_of(record) for record in self.records]


def session_exposure(database: Database, session_id: str) -> SessionExposure:
    """What a session was told, as far as its log or its folder tells."""
    connection = database.connection()
    key = session_key(database, session_id)
    recorded = recorded_texts(connection, key)
    records, place = recorded.get(key, []), place_of(connection, key)
    told = {name: one for name, one in kept_book(connection).told.items() if one.state != "no"}
    if place is None or not told:
        return SessionExposure(records, [])
    exposures = Exposures(recorded, texts_by_hash(connection, hashes_of(recorded)), Disk())
    lines = [
        SeenLine(candidate.id, line, exposures.of(line.text, place))
        for candidate in candidates_by_id(database, sorted(told))
        if place.root in candidate.members
        for line in told[candidate.id].lines
        if line.coverage >= BADGE
    ]
    return SessionExposure(records, lines)
