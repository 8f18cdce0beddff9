"""The journal: what people decided and every text that Helix wrote, a line each, never changed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import msgspec

from helix_tui.curate.journal.forgetting import masked
from helix_tui.files.ledger import SECONDS_TO_WAIT, DamagedLine, Ledger, LedgerRead, parsed
from helix_tui.schema.review import JournalLine
from helix_tui.text.times import iso


class JournalRead(NamedTuple):
    """What a journal holds: lines in order, damaged ones, and those of a newer version.

    What cannot be read stays in the file; nothing here follows from it.
    """

    lines: list[JournalLine]
    damaged: list[DamagedLine]
    unknown: list[DamagedLine]


class _Numbered(msgspec.Struct, gc=False):
    seq: int


_lines = msgspec.json.Decoder(JournalLine)
_numbered = msgspec.json.Decoder(_Numbered)
_encode = msgspec.json.Encoder().encode


def new_id() -> str:
    """An id that no other line has, in whatever journal."""
    return uuid4().hex


def in_order(lines: list[JournalLine]) -> list[JournalLine]:
    """The lines as they count: another member's that came late stands before what it precedes."""
    late: dict[str, list[JournalLine]] = {}
    ids = {line.id for line in lines} if any(line.before for line in lines) else set()
    for line in lines:
        if line.before in ids:
            late.setdefault(line.before, []).append(line)
    if not late:
        return lines
    return [
        one for line in lines if line.before not in ids for one in (*late.get(line.id, ()), line)
    ]


def lines_of(content: bytes) -> JournalRead:
    """The lines in the bytes of a journal."""
    return _decoded(parsed(content))


def _decoded(read: LedgerRead) -> JournalRead:
    found = JournalRead([], read.damaged, [])
    for number, data in read.lines:
        try:
            found.lines.append(_lines.decode(data))
        except msgspec.MsgspecError as error:
            # Its checksum is right, so this is what somebody wrote who knew more.
            found.unknown.append(DamagedLine(number, f"it is of a newer version: {error}"))
    return found._replace(lines=in_order(found.lines))


class Journal:
    """One journal file, with a lock of its own that waits for no sweep."""

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = new_id,
    ) -> None:
        self.path = path
        self._ledger = Ledger(path, "verdicts")
        self._clock = clock
        self._new_id = new_id

    def lines(self) -> JournalRead:
        """Every line that is there now; needs no lock."""
        return _decoded(self._ledger.read())

    def content(self) -> bytes:
        """Every byte that is there now, for `lines_of`; whole only inside `locked`."""
        return self._ledger.content()

    @contextmanager
    def locked(self, seconds: float = SECONDS_TO_WAIT) -> Iterator[None]:
        """Holds the journal: what is read in here is what the next line is written behind."""
        with self._ledger.locked(seconds):
            yield

    def append(self, *lines: JournalLine) -> list[JournalLine]:
        """Writes lines, all or none, inside `locked`; they are durable when it returns.

        Every line is numbered; one without an id or a time is given these.
        """
        at = iso(int(self._clock() * 1000)) or ""
        first = self._next_seq()
        numbered = [
            msgspec.structs.replace(
                line, id=line.id or self._new_id(), seq=first + passed, at=line.at or at
            )
            for passed, line in enumerate(lines)
        ]
        self._ledger.append([_encode(line) for line in numbered])
        return numbered

    def masked_lines(self, sessions: Collection[str]) -> dict[int, bytes]:
        """The lines that quote these sessions, by their place in the file, as they are without."""
        found = {}
        for number, data in self._ledger.read().lines:
            with contextlib.suppress(msgspec.MsgspecError, TypeError, AttributeError):
                kept = masked(data, sessions) if b'"writes"' in data else None
                if kept is not None:
                    found[number] = kept
        return found

    def mask(self, changed: Mapping[int, bytes], line: JournalLine) -> None:
        """Puts lines without what they quoted in their places, and one behind that says so.

        In one step, inside `locked`: ids and numbers stay, so that all that follows from them does.
        """
        numbered = msgspec.structs.replace(line, seq=self._next_seq())
        self._ledger.replace(changed, [_encode(numbered)])

    def _next_seq(self) -> int:
        """One more than the last line has, where a damaged one counts as a line, too."""
        data, damaged = self._ledger.last()
        if data is None:
            return damaged + 1
        try:
            return _numbered.decode(data).seq + damaged + 1
        except msgspec.MsgspecError:
            sound, others = self._ledger.read()
            return len(sound) + len(others) + 1
