"""What is told of candidates, kept between sweeps and made again only where something changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from helix_tui.config import Config
from helix_tui.engine.context.told_due import VERSION, Basis
from helix_tui.engine.context.watch import WatchedDisk
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.context import NOT_TOLD, Told, ToldState
from helix_tui.store.database import Database
from helix_tui.store.detection.candidates import list_candidates
from helix_tui.store.detection.grouping_state import grouping_number
from helix_tui.store.facts import TOLD_NOTE, note, set_note

if TYPE_CHECKING:
    from helix_tui.engine.context.told import ToldFinder

# Of more than these it is found out when somebody asks for one.
_MOST_KEPT = 2_000


class ToldBook(Basis):
    """What is told by candidate, with what it was made of.

    `keys` has all candidates that were looked up, `told` those of which there are lines.
    """

    keys: dict[str, int] = msgspec.field(default_factory=dict)
    told: dict[str, Told] = msgspec.field(default_factory=dict)


class _Standing(msgspec.Struct):
    state: ToldState = "no"


class _Standings(msgspec.Struct):
    """Of the book only what a list shows."""

    told: dict[str, _Standing] = {}


_decode_standings = msgspec.json.Decoder(_Standings).decode
_decode = msgspec.json.Decoder(ToldBook).decode
_encode = msgspec.json.Encoder().encode


def kept_book(connection: sqlite3.Connection) -> ToldBook:
    """The book as the last sweep left it."""
    text = note(connection, TOLD_NOTE)
    if text is None:
        return ToldBook()
    try:
        return _decode(text)
    except msgspec.MsgspecError:
        return ToldBook()  # of another version: it is made again


def refresh_told(config: Config, database: Database) -> None:
    """Bring the book up to the candidates that are listed and to the files of today."""
    connection = database.connection()
    kept = kept_book(connection)
    listed = list_candidates(database, config.detect.floor(is_all=True))
    listed.sort(key=lambda one: (one.tier == "rest", -len(one.members), one.id))
    made = _made(connection, kept, listed[:_MOST_KEPT])
    with database.atomic("IMMEDIATE"):
        set_note(connection, TOLD_NOTE, _encode(made).decode())


def told_of(database: Database, candidates: Sequence[Candidate]) -> dict[str, Told]:
    """What is told of candidates as things stand now; nothing is written."""
    connection = database.connection()
    kept = kept_book(connection)
    missing = candidates
    if kept.is_current(connection):
        missing = [one for one in candidates if one.id not in kept.keys]
    made = _made(connection, kept, missing) if missing else ToldBook()
    told = {**kept.told, **{one.id: NOT_TOLD for one in missing}, **made.told}
    return {one.id: told.get(one.id, NOT_TOLD) for one in candidates}


def told_states(database: Database) -> Mapping[str, ToldState]:
    """The state of candidates that are told in any way, as the last sweep found it."""
    text = note(database.connection(), TOLD_NOTE)
    try:
        kept = _decode_standings(text) if text is not None else _Standings()
    except msgspec.MsgspecError:
        return {}  # of another version: the next sweep makes it again
    return {name: told.state for name, told in kept.told.items() if told.state != "no"}


def _made(
    connection: sqlite3.Connection, kept: ToldBook, candidates: Sequence[Candidate]
) -> ToldBook:
    """A book of these candidates; what is as it was is taken from the one that is kept."""
    from helix_tui.engine.context.told import ToldFinder
    from helix_tui.engine.context.told_key import told_key

    disk = WatchedDisk()
    finder: ToldFinder = ToldFinder.of_store(connection, disk)
    made = ToldBook(VERSION, grouping_number(connection))
    is_same_version = kept.version == VERSION
    for one in candidates:
        key = made.keys[one.id] = told_key(one, finder)
        if is_same_version and kept.keys.get(one.id) == key:
            told = kept.told.get(one.id, NOT_TOLD)
        else:
            told = finder.of(one)
        if told.lines:
            made.told[one.id] = told
    made.watched = disk.watched()
    return made
