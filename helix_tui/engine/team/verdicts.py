"""Verdicts to the team and from it: local first, then told; those of others as lines of theirs.

What waits follows from the journal: lines that are `shared` and have no number of the team's store
yet. The store numbers verdicts in the order of their commits, and the later one stands; so another
member's line that came before one of one's own is put before it (`JournalLine.before`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from helix_tui.config import Config
from helix_tui.curate.catalog.folder import is_pattern_id
from helix_tui.curate.journal.journal import Journal
from helix_tui.engine.review.transaction import review_transaction
from helix_tui.engine.team.places import told_file
from helix_tui.errors import StoreError
from helix_tui.files.durable import FILE_MODE, make_folder, write_atomically
from helix_tui.files.regular import read_regular
from helix_tui.schema.review import JournalLine
from helix_tui.schema.team import Held
from helix_tui.text.refuse import refusals
from helix_tui.text.valid import valid

if TYPE_CHECKING:
    from helix_tui.team.asking import Asker

# What comes from others is taken up to this size; a page is a few thousand characters.
_MOST_BYTES = 1 << 20
_AT_ONCE = 200
_line = msgspec.json.Decoder(JournalLine).decode
_encode = msgspec.json.Encoder().encode


class Told(msgspec.Struct):
    """Up to which number verdicts of the team came in, and which numbers one's own have."""

    pulled: int = 0
    own: dict[str, int] = {}


class Arrived(NamedTuple):
    """A verdict as the team's store has it."""

    number: int
    id: str
    author: str
    line: str


def read_told(config: Config) -> Told:
    """What this machine knows of verdicts in the team; nothing where that is lost."""
    try:
        return msgspec.json.decode(read_regular(told_file(config)), type=Told)
    except (OSError, msgspec.MsgspecError):
        return Told()  # all of them come again, and those that are here are known by their ids


def waiting_lines(lines: Iterable[JournalLine], told: Told) -> list[JournalLine]:
    """One's own verdicts that the team is still to be told, in order."""
    return [line for line in lines if line.shared and not line.order and line.id not in told.own]


def outgoing(line: JournalLine) -> bytes:
    """A line as it leaves: the store says who wrote it, and places and numbers are one's own."""
    return _encode(msgspec.structs.replace(line, author="", seq=0, shared=False, masked=[]))


def exchange_verdicts(config: Config, asker: Asker, origin: str) -> list[Held]:
    """Tell the team what waits, take in what others decided; what must not leave is returned."""
    told = read_told(config)
    journal = Journal(config.curate.review_log)
    held = []
    for line in waiting_lines(journal.lines().lines, told):
        body = outgoing(line).decode()
        if found := refusals(body):
            held.append(Held(f"verdict {line.id[:8]} on {line.candidate}", found[0].what))
            continue
        asker.ask("tell", line.id, origin, line.at, body)
    while some := [Arrived(*row) for row in asker.ask("verdicts", told.pulled, _AT_ONCE)]:
        _take_in(config, journal, some, told)
    return held


def _take_in(config: Config, journal: Journal, some: Sequence[Arrived], told: Told) -> None:
    lines = journal.lines().lines
    known = {line.id: line for line in lines}
    for one in some:
        if one.id in known and not known[one.id].order:
            told.own[one.id] = one.number
    own = [line for line in lines if line.shared and not line.order]
    news = [
        line
        for one in some
        if one.id not in known and (line := taken(one, before_of(one.number, own, told.own)))
    ]
    if news:
        with review_transaction(config) as transaction:
            there = {line.id for line in transaction.lines}
            transaction.take_in([line for line in news if line.id not in there])
    told.pulled = some[-1].number
    path = told_file(config)
    make_folder(path.parent)
    write_atomically(path, _encode(told), FILE_MODE)


def before_of(number: int, own: Sequence[JournalLine], numbers: Mapping[str, int]) -> str:
    """The first of one's own lines that came to the team later, or is still to come."""
    return next((one.id for one in own if numbers.get(one.id, number + 1) > number), "")


def taken(one: Arrived, before: str) -> JournalLine | None:
    """Another member's line as the journal keeps it; None where it is nothing that counts here."""
    if len(one.line) > _MOST_BYTES:
        return None
    try:
        line = _line(one.line.encode())
    except (msgspec.MsgspecError, StoreError):
        return None  # of a newer version: nothing follows from it here
    if any(not is_pattern_id(write.pattern) for write in line.writes) or line.action in (
        "edit",
        "rename",
    ):
        return None
    return msgspec.structs.replace(
        line,
        id=one.id,
        author=valid(one.author),
        note=valid(line.note),
        order=one.number,
        before=before,
        shared=True,
    )
