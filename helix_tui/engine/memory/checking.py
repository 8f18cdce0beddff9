"""Hold entries that a model wrote against what their sessions said."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import msgspec

from helix_tui.errors import HelixError
from helix_tui.files.regular import read_regular_text
from helix_tui.memory.distill.standing import Standing, standing_of
from helix_tui.memory.flush.daily import daily_path
from helix_tui.memory.flush.entry import DailyEntry, read_entries
from helix_tui.memory.flush.flush_log import Begun, flush_logs
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall.sources import LineSource, SourceText, source_text, sources_of
from helix_tui.schema import TEXT_KINDS
from helix_tui.store.database import Database
from helix_tui.store.digests.search_index import texts_of

# Who may say what no session said.
_WRITERS = frozenset({"model", "command"})


class CheckedEntry(msgspec.Struct, frozen=True):
    """An entry of a daily log that a model or a program wrote, line by line.

    `trouble` says why its lines could not be held against anything.
    """

    day: str
    time: str
    session: str
    mark: str
    by: str
    lines: list[LineSource] = []
    trouble: str = ""

    @property
    def without(self) -> list[LineSource]:
        """The lines of which no source was found."""
        return [line for line in self.lines if line.source is None]


def checked_entries(
    places: MemoryPlaces,
    reading: Callable[[], AbstractContextManager[Database]],
    day: str = "",
) -> Iterator[CheckedEntry]:
    """Every entry that is not extracted, of a day or of all, in the order of the ledgers."""
    for log in flush_logs(places):
        try:
            begun = [one for one in log.state().entries if one.by in _WRITERS and not one.is_noop]
        except HelixError as error:
            yield CheckedEntry("", "", "", "", "", trouble=error.what)
            continue
        for one in begun:
            if not day or one.day == day:
                yield _checked(places, reading, one)


def _checked(
    places: MemoryPlaces, reading: Callable[[], AbstractContextManager[Database]], one: Begun
) -> CheckedEntry:
    entry = _entry(places, one)
    blank = CheckedEntry(one.day, entry.time if entry else "", one.session, one.mark, one.by)
    if entry is None:
        return msgspec.structs.replace(blank, trouble="the entry is no longer in its daily log")
    with reading() as database:
        texts = _texts(database.connection(), one.session)
    if not texts:
        return msgspec.structs.replace(blank, trouble="the session is not in the store")
    lines = [
        (name, *standing_of(line))
        for name, some in entry.lines.items()
        for line in some
        # What has no mark beside a model's lines was measured, and is Helix's own to say.
        if one.by != "model" or standing_of(line)[1] is not None
    ]
    found = sources_of([(name, text) for name, text, _ in lines], texts)
    return msgspec.structs.replace(
        blank,
        lines=[_as_marked(line, mark) for line, (_, _, mark) in zip(found, lines, strict=True)],
    )


def _as_marked(line: LineSource, mark: Standing | None) -> LineSource:
    """A line that was held against the very line it stands on when it was written has a source."""
    if line.source is not None or mark is None or not mark.who:
        return line
    return line._replace(source=SourceText(mark.who, None, frozenset()))


def _entry(places: MemoryPlaces, one: Begun) -> DailyEntry | None:
    try:
        content = read_regular_text(daily_path(places, one.day), "replace")
    except OSError:
        return None  # then it is not there to be checked, which is said
    return next((entry for entry in read_entries(content) if entry.mark == one.mark), None)


def _texts(connection: sqlite3.Connection, session: str) -> list[SourceText]:
    row = connection.execute("SELECT key FROM session WHERE id = ?", (session,)).fetchone()
    if row is None:
        return []
    return [
        source_text(TEXT_KINDS[kind], ts, text) for kind, ts, text in texts_of(connection, row[0])
    ]
